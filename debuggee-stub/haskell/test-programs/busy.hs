-- | @busy N@: four threads that allocate and share state by 'MVar', 'TVar'
-- and 'IORef' for N rounds, fewer if a line comes on stdin; the result is
-- known and checked. Exit code 1 if it is wrong.
module Main (main) where

import Control.Concurrent (forkIO, newEmptyMVar, newMVar, modifyMVar_, putMVar, readMVar, takeMVar)
import Control.Concurrent.STM (atomically, modifyTVar', newTVarIO, readTVarIO)
import Control.Exception (evaluate)
import Control.Monad (forM, unless)
import Data.IORef (atomicModifyIORef', atomicWriteIORef, newIORef, readIORef)
import qualified Data.IntMap.Strict as IntMap
import GHC.Debuggee (Box (..), saveClosures, withDebuggee)
import Report (argument, nextLine, say)
import System.Exit (exitFailure)

workers :: Int
workers = 4

main :: IO ()
main = withDebuggee $ do
  rounds <- argument 1000
  byMVar <- newMVar 0
  byTVar <- newTVarIO 0
  byIORef <- newIORef 0
  saveClosures [Box byMVar, Box byTVar, Box byIORef]
  say "rounds" (show rounds)
  told <- newIORef False
  _ <- forkIO $ nextLine >>= either (const (pure ())) (const (atomicWriteIORef told True))
  ends <- forM [1 .. workers] $ \worker -> do
    finished <- newEmptyMVar
    let go i = do
          enough <- readIORef told
          if i > rounds || enough
            then putMVar finished (i - 1)
            else do
              share <- evaluate (work worker i)
              modifyMVar_ byMVar (\n -> pure $! n + share)
              atomically (modifyTVar' byTVar (+ share))
              atomicModifyIORef' byIORef (\n -> (n + share, ()))
              go (i + 1)
    _ <- forkIO (go 1)
    pure finished
  done <- mapM takeMVar ends
  results <- sequence [readMVar byMVar, readTVarIO byTVar, readIORef byIORef]
  let right = sum [worker * (n * (n + 1) `div` 2) | (worker, n) <- zip [1 ..] done]
  say "done" (show done)
  say "result" (show results)
  unless (all (== right) results) exitFailure

-- | worker * i, the long way: through a map of a thousand entries.
work :: Int -> Int -> Int
work worker i = IntMap.foldl' (+) 0 table - sum [0 .. 999]
  where
    table = IntMap.insertWith (+) (i `mod` 1000) (worker * i) (IntMap.fromList [(k, k) | k <- [0 .. 999]])
{-# NOINLINE work #-}
