-- | @short K N@: allocates N times for a fraction of a millisecond, with a
-- second thread at work, then ends with exit code K.
module Main (main) where

import Control.Concurrent (forkIO)
import Control.Exception (evaluate)
import Control.Monad (forM_, forever, void)
import GHC.Debuggee (withDebuggee)
import System.Environment (getArgs)
import System.Exit (ExitCode (..), exitWith)

main :: IO ()
main = withDebuggee $ do
  [code, rounds] <- map read <$> getArgs
  _ <- forkIO $ forever $ churn 1000
  forM_ [1 .. rounds :: Int] $ \_ -> churn 10000
  exitWith (if code == 0 then ExitSuccess else ExitFailure code)

churn :: Int -> IO ()
churn n = void (evaluate (length (show (product [1 .. toInteger (n `mod` 97 + 20)])) + sum [1 .. n]))
{-# NOINLINE churn #-}
