{-# LANGUAGE CApiFFI #-}
{-# LANGUAGE ExistentialQuantification #-}
{-# LANGUAGE ScopedTypeVariables #-}

-- |
-- Lets a heap debugger attach to this program.
--
-- > main :: IO ()
-- > main = withDebuggee $ do
-- >   …
--
-- The program must be linked with @-threaded@. Nothing else changes until a
-- debugger connects: the server is one sleeping OS thread.
module GHC.Debuggee
  ( withDebuggee
  , Box (..)
  , saveClosures
  , pause
  , resume
  ) where

import Control.Exception (IOException, bracket, try)
import Control.Monad (void, when)
import Foreign.C.String (CString)
import Foreign.C.Types (CBool (..), CSize (..))
import Foreign.Marshal.Array (withArrayLen)
import Foreign.Marshal.Utils (toBool)
import Foreign.Ptr (Ptr)
import Foreign.StablePtr (castStablePtrToPtr, newStablePtr)
import System.Directory (XdgDirectory (XdgData), createDirectoryIfMissing, getXdgDirectory)
import System.Environment (getProgName, lookupEnv, unsetEnv)
import System.FilePath (takeDirectory, (</>))
import System.IO (hPutStrLn, stderr)
import System.Mem (performGC)
import System.Posix.Internals (c_getpid, withFilePath)

foreign import ccall safe "ghc_debuggee_start" c_start :: CString -> IO CBool

foreign import ccall safe "ghc_debuggee_stop" c_stop :: IO ()

foreign import ccall safe "ghc_debuggee_pause" c_pause :: IO CBool

foreign import ccall safe "ghc_debuggee_resume" c_resume :: IO ()

foreign import ccall safe "ghc_debuggee_save" c_save :: CSize -> Ptr (Ptr ()) -> IO ()

-- | Runs an action, usually all of @main@, in a program that a debugger can
-- attach to, over a Unix socket that only this user can open. Its path is the
-- environment variable @GHC_DEBUG_SOCKET@, else
-- @\<data folder\>\/ghc-debug\/debuggee\/sockets\/\<pid\>-\<program name\>@, where
-- debuggers look for it.
--
-- The variable is removed from the environment, so that child processes do
-- not take over the socket. If the server cannot start, a warning goes to
-- @stderr@ and the action runs all the same.
--
-- At the end the server ends before the RTS does; while a debugger holds the
-- program paused, this waits for it.
withDebuggee :: IO a -> IO a
withDebuggee action = bracket start (`when` c_stop) (const action)

-- | Starts the server; says if it runs.
start :: IO Bool
start = do
  started <- try $ do
    path <- socketPath
    createDirectoryIfMissing True (takeDirectory path)
    toBool <$> withFilePath path c_start
  case started of
    Right runs -> pure runs
    Left (e :: IOException) -> do
      void (try (hPutStrLn stderr ("ghc-debuggee: not started: " ++ show e)) :: IO (Either IOException ()))
      pure False

socketPath :: IO FilePath
socketPath = do
  given <- lookupEnv variable
  unsetEnv variable
  case given of
    Just path | not (null path) -> pure path
    _ -> do
      folder <- getXdgDirectory XdgData ("ghc-debug" </> "debuggee" </> "sockets")
      pid <- c_getpid
      name <- getProgName
      pure (folder </> show pid ++ "-" ++ name)
  where
    variable = "GHC_DEBUG_SOCKET"

-- | Any value, unevaluated or not.
data Box = forall a. Box a

-- | Shows these closures to the debugger as the program's saved objects, in
-- this order, instead of those of the former call. They are kept alive until
-- the next call or the end of 'withDebuggee'. They are not evaluated.
saveClosures :: [Box] -> IO ()
saveClosures boxes = do
  pointers <- mapM stable boxes
  withArrayLen pointers $ \count array -> c_save (fromIntegral count) array
  where
    stable (Box value) = castStablePtrToPtr <$> newStablePtr value

-- | Collects garbage, pauses the whole program and waits until a debugger,
-- now or later connected, resumes it. Every command works in that state.
-- Returns at once where no server runs.
pause :: IO ()
pause = performGC >> void c_pause

-- | Ends a pause. No Haskell code runs in a paused program, so from Haskell
-- this only withdraws a 'pause' of another thread that is not yet in force;
-- it is for the sake of foreign threads, which call @ghc_debuggee_resume@.
resume :: IO ()
resume = c_resume
