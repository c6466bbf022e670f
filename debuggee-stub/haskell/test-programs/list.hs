-- | @list N@: holds one list of N evaluated 'Int's, laid out as a major
-- collection leaves it, and shows it to the debugger as its saved object.
module Main (main) where

import Control.Exception (evaluate)
import GHC.Debuggee (Box (..), saveClosures, withDebuggee)
import Report (argument, ready, say, waitForLine)

main :: IO ()
main = withDebuggee $ do
  n <- argument 1000000
  let numbers = [1000 .. 999 + n] :: [Int] -- above the small numbers that are shared
  total <- evaluate (sum numbers)
  saveClosures [Box numbers]
  say "list.cells" (show n)
  say "list.sum" (show total)
  ready
  waitForLine
  say "list.last" (show (last numbers))
