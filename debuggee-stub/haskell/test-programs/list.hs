-- | @list N [shuffled]@: holds one list of N evaluated 'Int's, laid out as a
-- major collection leaves it, and shows it to the debugger as its saved
-- object. @shuffled@: laid out in random order instead.
module Main (main) where

import Control.Exception (evaluate)
import Data.List (tails)
import qualified Data.Map.Strict as Map
import GHC.Debuggee (Box (..), saveClosures, withDebuggee)
import Report (argument, ready, say, waitForLine)
import System.Environment (getArgs)
import System.IO (hFlush, stdout)
import System.Mem (performMajorGC)

main :: IO ()
main = withDebuggee $ do
  n <- argument 1000000
  arguments <- getArgs
  let numbers = [1000 .. 999 + n] :: [Int] -- above the small numbers that are shared
  total <- evaluate (sum numbers)
  say "list.cells" (show n)
  say "list.sum" (show total)
  if "shuffled" `elem` arguments
    then do
      cells <- evaluate (shuffled numbers)
      performMajorGC -- copies the cells in the order of the map, through which alone they are held
      first <- evaluate (cells Map.! scatter 0)
      saveClosures [Box first]
      putStrLn "ready" >> hFlush stdout -- a collection now would follow the list
      waitForLine
      say "list.last" (show (last first + Map.size cells * 0))
    else do
      saveClosures [Box numbers]
      ready
      waitForLine
      say "list.last" (show (last numbers))

-- | The cells of a list in an order that has nothing to do with the list's.
shuffled :: [Int] -> Map.Map Int [Int]
shuffled numbers = Map.fromList (zip (map scatter [0 ..]) (init (tails numbers)))

scatter :: Int -> Int
scatter i = (i * 7919 + 12345) * 2654435761 `mod` 4294967296
