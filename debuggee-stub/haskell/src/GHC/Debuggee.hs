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
-- debugger connects: the server is two sleeping OS threads.
module GHC.Debuggee
  ( withDebuggee
  , withDebuggeeUnix
  , withDebuggeeTCP
  , Box (..)
  , saveClosures
  , saveNamed
  , pause
  , resume
  , writeSnapshot
  , snapshotAbove
  , snapshotOnSignal
  ) where

import Control.Exception (IOException, bracket, try)
import Control.Monad (void, when)
import Data.Word (Word16, Word64)
import Foreign.C.String (CString, withCString)
import Foreign.C.Types (CBool (..), CInt (..), CSize (..), CUInt (..))
import Foreign.Marshal.Array (withArray, withArrayLen)
import Foreign.Marshal.Utils (toBool, withMany)
import Foreign.Ptr (Ptr, nullPtr)
import Foreign.StablePtr (castStablePtrToPtr, newStablePtr)
import qualified GHC.Foreign as Encoded
import System.Directory (XdgDirectory (XdgData), createDirectoryIfMissing, getXdgDirectory)
import System.Environment (getProgName, lookupEnv, unsetEnv)
import System.FilePath (takeDirectory, (</>))
import System.IO (hPutStrLn, stderr, utf8)
import System.Mem (performGC)
import System.Posix.Internals (c_getpid, withFilePath)

foreign import ccall safe "ghc_debuggee_start" c_start :: CString -> IO CBool

foreign import ccall safe "ghc_debuggee_start_tcp" c_start_tcp :: CString -> CUInt -> IO CBool

foreign import ccall safe "ghc_debuggee_stop" c_stop :: IO ()

foreign import ccall safe "ghc_debuggee_pause" c_pause :: IO CBool

foreign import ccall safe "ghc_debuggee_resume" c_resume :: IO ()

foreign import ccall safe "ghc_debuggee_save_named" c_save
  :: CSize -> Ptr (Ptr ()) -> Ptr CString -> IO ()

foreign import ccall safe "ghc_debuggee_snapshot" c_snapshot :: CString -> IO CBool

foreign import ccall safe "ghc_debuggee_snapshot_when" c_snapshot_when
  :: Word64 -> CInt -> CString -> IO ()

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
withDebuggee = during $ do
  path <- socketPath
  createDirectoryIfMissing True (takeDirectory path)
  startAt path

-- | The same on a given path.
withDebuggeeUnix :: FilePath -> IO a -> IO a
withDebuggeeUnix path = during $ do
  createDirectoryIfMissing True (takeDirectory path)
  startAt path

-- | The same over TCP, on a numeric address of IPv4 or IPv6, or @localhost@ for
-- both loopback addresses. Clients must know the token that was in the
-- environment variable @GHC_DEBUG_TOKEN@; without one nothing is started.
-- Nothing is encrypted.
withDebuggeeTCP :: String -> Word16 -> IO a -> IO a
withDebuggeeTCP host port =
  during (toBool <$> withCString host (\h -> c_start_tcp h (fromIntegral port)))

-- | Starts the server, if it can be started, and stops it after the action.
during :: IO Bool -> IO a -> IO a
during starting action = bracket (orWarn starting) (`when` c_stop) (const action)

startAt :: FilePath -> IO Bool
startAt path = toBool <$> withFilePath path c_start

orWarn :: IO Bool -> IO Bool
orWarn starting = do
  started <- try starting
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
  withArrayLen pointers $ \count array -> c_save (fromIntegral count) array nullPtr

-- | The same, with names by which the debugger shows them.
saveNamed :: [(String, Box)] -> IO ()
saveNamed named = do
  pointers <- mapM (stable . snd) named
  withMany (Encoded.withCString utf8) (map fst named) $ \names ->
    withArray names $ \nameArray ->
      withArrayLen pointers $ \count array -> c_save (fromIntegral count) array nameArray

stable :: Box -> IO (Ptr ())
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

-- | Writes a snapshot of the heap, which every command of the debugger takes as
-- its target; no debugger is needed for it. The program stands still meanwhile. False,
-- after a warning on @stderr@, if that failed. Works inside of 'withDebuggee'.
writeSnapshot :: FilePath -> IO Bool
writeSnapshot path = toBool <$> withFilePath path c_snapshot

-- | Has a snapshot written, once, when at least so many bytes are alive after a
-- collection; of a generation that was not collected its garbage counts, too. @%p@ in the path stands for the process id, @%n@ for the number of the
-- snapshot. Replaces what this and 'snapshotOnSignal' were told before. The environment
-- can say the same: @GHC_DEBUG_SNAPSHOT@ (the path) and @GHC_DEBUG_SNAPSHOT_LIMIT@
-- (@500M@), or @GHC_DEBUG_SNAPSHOT_SIGNAL@ (a number, 12 for SIGUSR2).
snapshotAbove :: Word64 -> FilePath -> IO ()
snapshotAbove bytes path = withFilePath path (c_snapshot_when bytes 0)

-- | Has a snapshot written whenever the process receives this signal, which the
-- program must not handle itself.
snapshotOnSignal :: CInt -> FilePath -> IO ()
snapshotOnSignal signal path = withFilePath path (c_snapshot_when 0 signal)
