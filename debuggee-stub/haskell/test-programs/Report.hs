-- | How the test programs talk: @key=value@ lines on stdout, flushed one by
-- one, and a line on stdin (or its end) to go on.
module Report (say, ready, sayReady, waitForLine, nextLine, nextNumber, argument) where

import Control.Concurrent (threadDelay)
import Control.Exception (IOException, try)
import System.Environment (getArgs)
import System.IO (hFlush, stdout)
import System.Mem (performMajorGC)
import Text.Read (readMaybe)

say :: String -> String -> IO ()
say key value = putStrLn (key ++ "=" ++ value) >> hFlush stdout

-- | Leaves only live data behind and says so.
ready :: IO ()
ready = do
  performMajorGC
  threadDelay 1000 -- lets threads that the collection woke come to rest
  sayReady

-- | Says so without having collected.
sayReady :: IO ()
sayReady = putStrLn "ready" >> hFlush stdout

waitForLine :: IO ()
waitForLine = () <$ nextLine

-- | The number on the next line, if it is one and not the end of the input.
nextNumber :: IO (Maybe Int)
nextNumber = either (const Nothing) readMaybe <$> nextLine

-- | The next line, if there is one.
nextLine :: IO (Either IOException String)
nextLine = try getLine

-- | The first argument, if it is a number.
argument :: Int -> IO Int
argument ifMissing = do
  arguments <- getArgs
  pure $ case arguments of
    first : _ | Just n <- readMaybe first -> n
    _ -> ifMissing
