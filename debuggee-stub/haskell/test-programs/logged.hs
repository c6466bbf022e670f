-- | @logged@: a program that switches its eventlog by itself, as lines on stdin
-- say: @file PATH@, @stop@, @flush@, @census@, @profile@, @noprofile@, @+user@,
-- @-user@ and @work N@, of which each round is a marker @round I@. It says @done=LINE@, or
-- @failed=LINE@.
module Main (main) where

import Control.Concurrent (myThreadId)
import Control.Monad (forM_)
import Debug.Trace (traceMarkerIO)
import GHC.Conc (labelThread)
import GHC.Debuggee (withDebuggee)
import GHC.Debuggee.EventLog
import Report (nextLine, say, sayReady)
import Text.Read (readMaybe)

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
  ["stop"] -> stopLog
  ["flush"] -> flushLog
  ["census"] -> takeCensus
  ["profile"] -> startHeapProfile
  ["noprofile"] -> stopHeapProfile
  ["+user"] -> switchEvents [User] []
  ["-user"] -> switchEvents [] [User]
  ["work", number] | Just rounds <- readMaybe number -> True <$ forM_ [1 .. rounds :: Int] (\i -> traceMarkerIO ("round " ++ show i))
  _ -> pure False
