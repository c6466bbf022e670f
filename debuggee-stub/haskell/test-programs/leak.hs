-- | @leak [N [fixed]]@: a small web service, so to speak, with two leaks
-- planted in it, unless they are fixed; N requests are served before it waits.
-- A number on stdin has it serve so many more, anything else ends it.
--
-- (1) @hits@, a counter in an 'IORef' changed by the lazy 'modifyIORef':
-- every request leaves a thunk behind, until someone reads the counter.
-- (2) @sessions@, a cache that only grows: sessions are added for each new
-- visitor, and never expire. Fixed, a visitor's second request is the last.
module Main (main) where

import Control.Monad (forM_)
import Data.IORef (IORef, modifyIORef, modifyIORef', newIORef, readIORef)
import qualified Data.Map.Strict as Map
import Data.Map.Strict (Map)
import qualified Data.Text as Text
import Data.Text (Text)
import GHC.Debuggee (Box (..), saveClosures, withDebuggee)
import Report (argument, nextNumber, ready, say)
import System.Environment (getArgs)

data Request = Request
  { requestPath :: !Text
  , requestVisitor :: !Int
  }

data Session = Session
  { sessionToken :: !Text
  , sessionVisitor :: !Int
  , sessionPages :: ![Text]
  }

data Server = Server
  { hits :: !(IORef RequestCounter)
  , sessions :: !(IORef SessionCache)
  }

newtype RequestCounter = RequestCounter Int

newtype SessionCache = SessionCache (Map Text Session)

data Leaks = Planted | Fixed

main :: IO ()
main = withDebuggee $ do
  requests <- argument 10000
  arguments <- getArgs
  server <- Server <$> newIORef (RequestCounter 0) <*> newIORef (SessionCache Map.empty)
  saveClosures [Box server]
  serveAll (if "fixed" `elem` arguments then Fixed else Planted) server 0 requests
  RequestCounter served <- readIORef (hits server)
  say "served" (show served)

-- | Serves so many more, says what that leaves behind, and waits for more.
serveAll :: Leaks -> Server -> Int -> Int -> IO ()
serveAll leaks server before more = do
  let served = before + more
  forM_ [before + 1 .. served] $ \i -> case leaks of
    Planted -> serve server (request i)
    Fixed -> serveFixed server (request i)
  SessionCache cache <- readIORef (sessions server)
  say "holds.Main.Session" (show (Map.size cache))
  say "holds.Data.Map.Internal.Bin" (show (Map.size cache))
  say "holds.thunks.hits" (show (case leaks of Planted -> served; Fixed -> 0))
  ready
  next <- nextNumber
  forM_ next (serveAll leaks server served)

request :: Int -> Request
request i =
  Request
    { requestPath = Text.pack ("/items/" ++ show (i `mod` 50))
    , requestVisitor = i `div` 2 -- each visitor comes twice
    }

serve :: Server -> Request -> IO ()
serve server r = do
  modifyIORef (hits server) countRequest
  modifyIORef' (sessions server) (remember r)
{-# NOINLINE serve #-}

serveFixed :: Server -> Request -> IO ()
serveFixed server r = do
  modifyIORef' (hits server) countRequest
  modifyIORef' (sessions server) (rememberUntilLast r)
{-# NOINLINE serveFixed #-}

countRequest :: RequestCounter -> RequestCounter
countRequest (RequestCounter n) = RequestCounter (n + 1)
{-# NOINLINE countRequest #-}

remember :: Request -> SessionCache -> SessionCache
remember r (SessionCache cache) =
  SessionCache (Map.insertWith visitAgain (tokenOf r) (session r) cache)
  where
    visitAgain _ old = old {sessionPages = requestPath r : sessionPages old}

rememberUntilLast :: Request -> SessionCache -> SessionCache
rememberUntilLast r (SessionCache cache) =
  SessionCache (Map.alter (maybe (Just (session r)) (const Nothing)) (tokenOf r) cache)

session :: Request -> Session
session r = Session (tokenOf r) (requestVisitor r) [requestPath r]

tokenOf :: Request -> Text
tokenOf r = Text.pack ("session-" ++ show (requestVisitor r))
