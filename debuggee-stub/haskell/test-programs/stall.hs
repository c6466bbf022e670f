-- | @stall N [spin K]@: holds a map of N entries (70 bytes each, about) and has
-- a thread note how long it was not run. A line on stdin makes it say the
-- longest such gap since the last line, in microseconds; the end of the input
-- ends it. @spin@: a thread first counts to K thousand millions without
-- allocating, which no pause can interrupt.
module Main (main) where

import Control.Concurrent (forkIO, myThreadId, threadDelay)
import Control.Exception (evaluate)
import Control.Monad (void)
import Data.IORef (IORef, atomicModifyIORef', newIORef)
import qualified Data.Map.Strict as Map
import Data.Word (Word64)
import GHC.Clock (getMonotonicTimeNSec)
import GHC.Conc (labelThread)
import GHC.Debuggee (withDebuggee)
import Report (argument, nextLine, ready, say)
import System.Environment (getArgs)

main :: IO ()
main = withDebuggee $ do
  n <- argument 1000000
  arguments <- getArgs
  table <- evaluate (Map.fromDistinctAscList [(i, i * 7) | i <- [1000 .. 999 + n]])
  longest <- newIORef 0
  ready
  now <- getMonotonicTimeNSec
  _ <- forkIO (measure longest now)
  case dropWhile (/= "spin") arguments of
    _ : k : _ -> do
      void . forkIO $ do
        myThreadId >>= (`labelThread` "spinner")
        evaluate (spin (read k * 1000000000)) >>= say "spun" . show
    _ -> pure ()
  answer longest
  say "entries" (show (Map.size table))

-- | Asks for no more than the clock between two naps.
measure :: IORef Word64 -> Word64 -> IO ()
measure longest before = do
  threadDelay 200
  now <- getMonotonicTimeNSec
  atomicModifyIORef' longest (\l -> (max l (now - before), ()))
  measure longest now

spin :: Int -> Int
spin = go 1
  where
    go h 0 = h
    go h k = go (h * 3 + k) (k - 1)
{-# NOINLINE spin #-}

answer :: IORef Word64 -> IO ()
answer longest = do
  line <- nextLine
  case line of
    Left _ -> pure ()
    Right _ -> do
      gap <- atomicModifyIORef' longest (\l -> (0, l))
      say "gap" (show (gap `div` 1000))
      answer longest
