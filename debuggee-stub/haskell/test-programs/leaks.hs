{-# LANGUAGE BangPatterns #-}

-- | @leaks KIND [N]@: programs with one leak each, which a debugger should
-- name, and one without.
--
-- [@accumulator@] statistics with lazy fields, folded strictly: each of the N
-- events leaves two thunks behind.
-- [@caf@] a top-level list that is used again later, so that all of its N
-- elements stay.
-- [@slices@] a cache keyed by short slices of long texts, N / 100 of them; a
-- slice keeps all of its text's buffer.
-- [@blocked@] a thread that has built a list of N elements and then waits for
-- something that never comes.
-- [@pages@] no leak: N / 100 closures so large that two do not fit into a block,
-- which then counts as partly filled.
-- [@healthy@] a service whose N objects are spread evenly over its parts.
module Main (main) where

import Control.Concurrent (MVar, forkIO, newEmptyMVar, putMVar, takeMVar, threadDelay)
import Control.DeepSeq (force)
import Control.Exception (evaluate)
import Control.Monad (forM_, void)
import Data.IORef (IORef, modifyIORef', newIORef, readIORef)
import qualified Data.IntMap.Strict as IntMap
import Data.IntMap.Strict (IntMap)
import qualified Data.List as List
import qualified Data.Map.Strict as Map
import Data.Map.Strict (Map)
import qualified Data.Set as Set
import Data.Set (Set)
import qualified Data.Text as Text
import Data.Text (Text)
import GHC.Conc (labelThread)
import GHC.Debuggee (withDebuggee)
import Report (ready, say, waitForLine)
import System.Environment (getArgs)
import System.Exit (die)
import System.Mem (performMajorGC)
import Text.Read (readMaybe)

main :: IO ()
main = withDebuggee $ do
  arguments <- getArgs
  case arguments of
    [kind] -> run kind 100000
    [kind, count] | Just n <- readMaybe count -> run kind n
    _ -> die "usage: leaks KIND [N]"

run :: String -> Int -> IO ()
run kind n = case kind of
  "accumulator" -> accumulator n
  "caf" -> caf n
  "slices" -> slices n
  "blocked" -> blocked n
  "pages" -> pages n
  "healthy" -> healthy n
  _ -> die ("unknown kind: " ++ kind)

data Stats = Stats Int Int -- events, and the sum of their sizes

accumulator :: Int -> IO ()
accumulator n = do
  stats <- evaluate (List.foldl' observe (Stats 0 0) [1 .. n])
  say "holds.thunks.observe" (show (2 * n))
  ready
  waitForLine
  let Stats events size = stats
  say "events" (show events)
  say "size" (show size)

observe :: Stats -> Int -> Stats
observe (Stats events size) event = Stats (events + 1) (size + event)
{-# NOINLINE observe #-}

squares :: [Integer]
squares = map (^ (2 :: Int)) [10 ^ (6 :: Int) ..]
{-# NOINLINE squares #-}

caf :: Int -> IO ()
caf n = do
  say "last" (show (squares !! (n - 1)))
  say "holds.cells" (show n)
  ready
  waitForLine
  say "first" (show (take 3 squares))

slices :: Int -> IO ()
slices n = do
  cache <- newIORef Map.empty
  forM_ [1 .. n `div` 100] $ \i -> modifyIORef' cache (remember i)
  entries <- readIORef cache
  say "holds.Data.Map.Internal.Bin" (show (Map.size entries))
  ready
  waitForLine
  later <- readIORef cache
  say "entries" (show (Map.size later))

remember :: Int -> Map Text Int -> Map Text Int
remember i cache = Map.insert key i cache
  where
    !key = Text.take 8 (document i)
{-# NOINLINE remember #-}

document :: Int -> Text
document = ofLength 10000
{-# NOINLINE document #-}

ofLength :: Int -> Int -> Text
ofLength n i = Text.pack (take n (show (i + 10000000) ++ cycle " and so on"))

blocked :: Int -> IO ()
blocked n = do
  never <- newEmptyMVar
  built <- newEmptyMVar
  worker <- forkIO (work n built never)
  labelThread worker "worker"
  takeMVar built
  say "holds.cells" (show n)
  threadDelay 10000
  ready
  waitForLine
  putMVar never ()

work :: Int -> MVar () -> MVar () -> IO ()
work n built never = do
  backlog <- evaluate (force (map show [10000 .. 9999 + n]))
  putMVar built ()
  takeMVar never
  forM_ backlog putStrLn
{-# NOINLINE work #-}

pages :: Int -> IO ()
pages n = do
  texts <- evaluate (force (map (Text.copy . ofLength 2600) [1 .. n `div` 100]))
  say "holds.bytes" (show (2600 * length texts))
  performMajorGC
  ready
  waitForLine
  say "length" (show (sum (map Text.length texts)))

data Service = Service
  { users :: !(IORef (IntMap String))
  , orders :: !(IORef (Map Int Double))
  , names :: !(IORef (Set Text))
  , prices :: !(IORef (IntMap Double))
  , queue :: !(IORef [Int])
  , words_ :: !(IORef (Map Text Int))
  , seen :: !(IORef (Set Int))
  , recent :: !(IORef [Text])
  , stock :: !(IORef (Map Int Int))
  , rates :: !(IORef (IntMap Int))
  , tags :: !(IORef (Set String))
  , log_ :: !(IORef [String])
  , sums :: !(IORef (IntMap Integer))
  , labels :: !(IORef (Map Int Text))
  }

-- | The sizes are such that no part has a tenth of the whole.
healthy :: Int -> IO ()
healthy n = do
  service <-
    Service
      <$> hold (IntMap.fromList [(i, show i) | i <- few 8])
      <*> hold (Map.fromList [(i, fromIntegral i) | i <- few 15])
      <*> hold (Set.fromList (map text (few 14)))
      <*> hold (IntMap.fromList [(i, fromIntegral i) | i <- few 15])
      <*> hold (few 30)
      <*> hold (Map.fromList [(text i, i) | i <- few 14])
      <*> hold (Set.fromList (few 20))
      <*> hold (map text (few 20))
      <*> hold (Map.fromList [(i, i) | i <- few 15])
      <*> hold (IntMap.fromList [(i, i) | i <- few 15])
      <*> hold (Set.fromList (map show (few 8)))
      <*> hold (map show (few 9))
      <*> hold (IntMap.fromList [(i, fromIntegral i) | i <- few 15])
      <*> hold (Map.fromList [(i, text i) | i <- few 12])
  ready
  waitForLine
  void (report service)
  where
    few share = [1000 .. 999 + n * share `div` 1000]
    text i = Text.pack (show i)
    hold value = do
      evaluated <- evaluate (force value)
      newIORef evaluated

report :: Service -> IO ()
report service = do
  size IntMap.size (users service)
  size Map.size (orders service)
  size Set.size (names service)
  size IntMap.size (prices service)
  size length (queue service)
  size Map.size (words_ service)
  size Set.size (seen service)
  size length (recent service)
  size Map.size (stock service)
  size IntMap.size (rates service)
  size Set.size (tags service)
  size length (log_ service)
  size IntMap.size (sums service)
  size Map.size (labels service)
  where
    size sizeOf reference = readIORef reference >>= say "size" . show . sizeOf
