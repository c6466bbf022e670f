-- | @forks N@: forks N processes, one after the other, each of which ends with
-- exit code 42, while a thread allocates.
module Main (main) where

import Control.Concurrent (forkIO)
import Control.Exception (evaluate)
import Control.Monad (forever, replicateM, void)
import GHC.Debuggee (withDebuggee)
import Report (argument, ready, say)
import System.Exit (ExitCode (..))
import System.Posix.Process
  (ProcessStatus (..), exitImmediately, forkProcess, getProcessStatus)

main :: IO ()
main = withDebuggee $ do
  n <- argument 100
  _ <- forkIO $ forever $ void (evaluate (sum [1 .. toInteger n]))
  ready
  ends <- replicateM n child
  say "children" (show (length (filter (== Just (Exited (ExitFailure 42))) ends)))

child :: IO (Maybe ProcessStatus)
child = forkProcess (void (exitImmediately (ExitFailure 42))) >>= getProcessStatus True False
