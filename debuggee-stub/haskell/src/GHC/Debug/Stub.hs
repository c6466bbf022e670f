-- |
-- The names of the package @ghc-debug-stub@, so that a program that is
-- instrumented for it can be linked with this library instead: only its
-- @build-depends@ changes. New programs import "GHC.Debuggee".
--
-- What differs: a failure to start is a warning, and TCP needs a token (see
-- 'withDebuggeeTCP').
module GHC.Debug.Stub
  ( withGhcDebug
  , withGhcDebugUnix
  , withGhcDebugTCP
  , SocketAddr (..)
  , withGhcDebugX
  , saveClosures
  , Box (..)
  , pause
  , resume
  ) where

import Data.Word (Word16)
import GHC.Debuggee (Box (..), pause, resume, saveClosures, withDebuggee, withDebuggeeTCP, withDebuggeeUnix)

withGhcDebug :: IO a -> IO a
withGhcDebug = withDebuggee

withGhcDebugUnix :: String -> IO a -> IO a
withGhcDebugUnix = withDebuggeeUnix

withGhcDebugTCP :: String -> Word16 -> IO a -> IO a
withGhcDebugTCP = withDebuggeeTCP

data SocketAddr
  = SocketAddrIp !String !Word16
  | SocketAddrUnix !String
  deriving (Show, Eq)

withGhcDebugX :: SocketAddr -> IO a -> IO a
withGhcDebugX (SocketAddrUnix path) = withGhcDebugUnix path
withGhcDebugX (SocketAddrIp host port) = withGhcDebugTCP host port
