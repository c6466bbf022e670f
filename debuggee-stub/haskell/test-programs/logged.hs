-- | @logged@: a program that switches its eventlog by itself, as lines on stdin
-- say: @file PATH@, @descriptor PATH@, @stop@, @flush@, @census@, @profile@, @noprofile@,
-- @+user@, @-user@, @tables N@, which adds so many to the info table map, and @work N@, of
-- which each round is a marker @round I@. It says @done=LINE@, or @failed=LINE@.
module Main (main) where

import Control.Concurrent (myThreadId)
import Control.Exception (bracket)
import Control.Monad (forM_)
import Data.Word (Word32)
import Debug.Trace (traceMarkerIO)
import GHC.Conc (labelThread)
import GHC.Debuggee (withDebuggee)
import GHC.Debuggee.EventLog
import Report (nextLine, say, sayReady)
import System.Posix.IO (OpenMode (WriteOnly), closeFd, defaultFileFlags, openFd)
import Text.Read (readMaybe)

foreign import ccall "logged_add_tables" addTables :: Word32 -> IO ()

main :: IO ()
main = withDebuggee $ do
  myThreadId >>= \me -> labelThread me "main loop"
  sayReady
  loop

loop :: IO ()
loop = nextLine >>= either (const (pure ())) (\line -> obey line >>= answer line >> loop)
  where
    answer line done = say (if done then "done" else "failed") line

obey :: String -> IO Bool
obey line = case words line of
  ["file", path] -> logToFile [User, GarbageCollector] path
  ["descriptor", path] ->
    bracket (openFd path WriteOnly defaultFileFlags) closeFd $ logToDescriptor [User] . fromIntegral
  ["stop"] -> stopLog
  ["flush"] -> flushLog
  ["census"] -> takeCensus
  ["profile"] -> startHeapProfile
  ["noprofile"] -> stopHeapProfile
  ["+user"] -> switchEvents [User] []
  ["-user"] -> switchEvents [] [User]
  ["tables", number] | Just count <- readMaybe number -> True <$ addTables count
  ["work", number] | Just rounds <- readMaybe number -> True <$ forM_ [1 .. rounds :: Int] (\i -> traceMarkerIO ("round " ++ show i))
  _ -> pure False
