-- | @list N [shuffled]@: holds one list of N evaluated 'Int's, laid out as a
-- major collection leaves it, and shows it to the debugger as its saved
-- object. @shuffled@: laid out in the order of a map that holds its cells.
module Main (main) where

import Control.Exception (evaluate)
import Data.Bits (unsafeShiftR, xor)
import qualified Data.List as List
import qualified Data.Map.Strict as Map
import Data.Map.Strict (Map)
import GHC.Debuggee (Box (..), saveClosures, withDebuggee)
import Report (argument, ready, say, waitForLine)
import System.Environment (getArgs)
import System.IO (hFlush, stdout)
import System.Mem (performMajorGC)

main :: IO ()
main = withDebuggee $ do
  n <- argument 1000000
  arguments <- getArgs
  if "shuffled" `elem` arguments then holdShuffled n else hold n

hold :: Int -> IO ()
hold n = do
  let list = numbers n
  total <- evaluate (List.foldl' (+) 0 list)
  tell n total
  saveClosures [Box list]
  ready
  waitForLine
  say "list.last" (show (last list))

-- | The collection copies the cells in the order of the map, through which
-- alone they are held; another one would follow the list. (Even so it copies
-- depth first, so that pieces of the list come to lie in the same block.)
holdShuffled :: Int -> IO ()
holdShuffled n = do
  cells <- evaluate (shuffled n)
  performMajorGC
  first <- evaluate (cells Map.! scatter 0)
  saveClosures [Box first]
  tell n (List.foldl' (+) 0 first)
  putStrLn "ready" >> hFlush stdout
  waitForLine
  say "list.last" (show (fst (Map.findMin cells) `seq` last first))

tell :: Int -> Int -> IO ()
tell n total = do
  say "list.cells" (show n)
  say "list.sum" (show total)

-- | Above the small numbers that are shared.
numbers :: Int -> [Int]
numbers n = [1000 .. 999 + n]
{-# NOINLINE numbers #-}

-- | The cells of a list in an order that has nothing to do with the list's.
shuffled :: Int -> Map Int [Int]
shuffled n = Map.fromList (zip (map scatter [0 ..]) (init (List.tails (numbers n))))
{-# NOINLINE shuffled #-}

-- | A bijection without the regular strides of a single multiplication, which
-- a cache of blocks would profit from.
scatter :: Int -> Int
scatter i = mix 32 (mix 29 i)
  where
    mix shift h = (h `xor` (h `unsafeShiftR` shift)) * 0x2545F4914F6CDD1D
