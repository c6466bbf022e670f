-- | @monitored SOCKET|PIPE [wait]@: a program that sends its eventlog itself,
-- and lets logging and classes of events be switched while it runs. It works
-- for each line @work N@ on stdin and ends with the input. With @wait@ it
-- begins when somebody reads.
--
-- Other lines: @on@, @off@ (logging); @+s@, @-s@ and so on (classes, by their
-- letters of @+RTS -l@); @census@; @flush@; @figures@ (what the runtime itself
-- counts, after a major collection).
--
-- Since a census can be asked for, the runtime leaves a profile of its own,
-- monitored.hp, in the working directory.
module Main (main) where

import Control.Concurrent (forkIO, myThreadId, newEmptyMVar, putMVar, takeMVar)
import Control.Exception (evaluate)
import Control.Monad (forM_, when)
import Data.IORef (IORef, modifyIORef', newIORef, readIORef)
import Data.Word (Word64)
import Debug.Trace (traceEventIO, traceMarkerIO)
import Foreign.C (CBool (..), CChar (..), CString, castCharToCChar, withCString)
import Foreign.Marshal.Utils (fromBool, toBool)
import GHC.Conc (labelThread)
import GHC.Profiling (requestHeapCensus)
import GHC.Stats (GCDetails (..), RTSStats (..), getRTSStats)
import Report (say, sayReady)
import System.Environment (getArgs)
import System.Exit (exitFailure)
import System.IO (isEOF)
import System.Mem (performMajorGC)
import Text.Read (readMaybe)

foreign import ccall safe "monitored_open" openLog :: CString -> IO CBool

foreign import ccall safe "monitored_await_reader" awaitReader :: IO ()

foreign import ccall safe "monitored_log" switchLog :: CBool -> IO ()

foreign import ccall safe "monitored_class" switchClass :: CChar -> CBool -> IO CBool

foreign import ccall safe "monitored_flush" flushLog :: IO ()

foreign import ccall safe "monitored_dropped" droppedBytes :: IO Word64

foreign import ccall safe "monitored_close" closeLog :: IO ()

main :: IO ()
main = do
  arguments <- getArgs
  case arguments of
    path : rest -> do
      opened <- withCString path openLog
      when (not (toBool opened)) exitFailure
      say "listening" path
      when (rest == ["wait"]) awaitReader
      myThreadId >>= \me -> labelThread me "main loop"
      kept <- newIORef []
      sayReady
      obeyLines kept
      figures
      closeLog
      say "dropped" . show =<< droppedBytes
    [] -> putStrLn "usage: monitored SOCKET|PIPE [wait]" >> exitFailure

obeyLines :: IORef [[Int]] -> IO ()
obeyLines kept = do
  end <- isEOF
  when (not end) $ do
    line <- getLine
    understood <- obey kept line
    say (if understood then "done" else "not understood") line
    obeyLines kept

obey :: IORef [[Int]] -> String -> IO Bool
obey kept line = case line of
  "on" -> True <$ switchLog (fromBool True)
  "off" -> True <$ switchLog (fromBool False)
  ['+', letter] -> toBool <$> switchClass (castCharToCChar letter) (fromBool True)
  ['-', letter] -> toBool <$> switchClass (castCharToCChar letter) (fromBool False)
  "census" -> True <$ (requestHeapCensus >> performMajorGC)
  "flush" -> True <$ flushLog
  "figures" -> True <$ figures
  _ -> case words line of
    ["work", number] | Just rounds <- readMaybe number -> True <$ work kept rounds
    _ -> pure False

-- | Each round makes a thread that allocates, keeps a list and tells so.
work :: IORef [[Int]] -> Int -> IO ()
work kept rounds = forM_ [1 .. rounds] $ \i -> do
  finished <- newEmptyMVar
  _ <- forkIO $ do
    myThreadId >>= \me -> labelThread me ("worker " ++ show i)
    digits <- evaluate (length (concatMap show [1 .. 2000 + i]))
    traceEventIO ("digits " ++ show digits)
    putMVar finished ()
  takeMVar finished
  let list = [i .. i + 999]
  _ <- evaluate (length list)
  modifyIORef' kept (list :)
  lists <- readIORef kept
  traceMarkerIO ("round " ++ show i ++ ", " ++ show (length lists) ++ " lists kept")

-- | What the runtime counted since the program began.
figures :: IO ()
figures = do
  performMajorGC
  stats <- getRTSStats
  say "collections" (show (gcs stats))
  say "major" (show (major_gcs stats))
  say "allocated" (show (allocated_bytes stats))
  say "copied" (show (copied_bytes stats))
  say "live" (show (gcdetails_live_bytes (gc stats)))
  say "memory" (show (gcdetails_mem_in_use_bytes (gc stats)))
