-- | @linked N@: knows nothing of any debugger; it was only linked with the
-- library and one flag. Holds a map of N entries and prints a known sum.
module Main (main) where

import Control.Exception (evaluate)
import qualified Data.Map.Strict as Map
import Report (argument, ready, say, waitForLine)

main :: IO ()
main = do
  n <- argument 1000
  table <- evaluate (Map.fromList [(i, i * i) | i <- [1 .. n]])
  ready
  waitForLine
  say "sum" (show (sum (Map.elems table)))
