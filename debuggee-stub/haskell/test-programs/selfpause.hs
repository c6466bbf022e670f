-- | @selfpause [N]@: pauses itself N times, 1 unless said otherwise, and says
-- when it goes on.
module Main (main) where

import Control.Exception (evaluate)
import Control.Monad (forM_)
import GHC.Debuggee (Box (..), pause, saveClosures, withDebuggee)
import Report (argument, say)

main :: IO ()
main = withDebuggee $ do
  times <- argument 1
  forM_ [1 .. times] $ \i -> do
    kept <- evaluate (Just i)
    saveClosures [Box kept, Box "kept by selfpause"]
    say "pausing" (show i)
    pause
    say "resumed" (show i)
