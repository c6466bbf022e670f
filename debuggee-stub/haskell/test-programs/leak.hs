-- | @leak [N]@: a small web service, so to speak, with two leaks planted in
-- it; N requests are served before it waits.
--
-- (1) @hits@, a counter in an 'IORef' changed by the lazy 'modifyIORef':
-- every request leaves a thunk behind, until someone reads the counter.
-- (2) @sessions@, a cache that only grows: sessions are added for each new
-- visitor, and never expire.
module Main (main) where

import Control.Monad (forM_)
import Data.IORef (IORef, modifyIORef, modifyIORef', newIORef, readIORef)
import qualified Data.Map.Strict as Map
import Data.Map.Strict (Map)
import qualified Data.Text as Text
import Data.Text (Text)
import GHC.Debuggee (Box (..), saveClosures, withDebuggee)
import Report (argument, ready, say, waitForLine)

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

main :: IO ()
main = withDebuggee $ do
  requests <- argument 10000
  server <- Server <$> newIORef (RequestCounter 0) <*> newIORef (SessionCache Map.empty)
  saveClosures [Box server]
  forM_ [1 .. requests] $ \i -> serve server (request i)
  SessionCache cache <- readIORef (sessions server)
  say "holds.Main.Session" (show (Map.size cache))
  say "holds.Data.Map.Internal.Bin" (show (Map.size cache))
  say "holds.thunks.hits" (show requests)
  ready
  waitForLine
  RequestCounter served <- readIORef (hits server)
  say "served" (show served)

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

countRequest :: RequestCounter -> RequestCounter
countRequest (RequestCounter n) = RequestCounter (n + 1)
{-# NOINLINE countRequest #-}

remember :: Request -> SessionCache -> SessionCache
remember (Request path visitor) (SessionCache cache) =
  SessionCache (Map.insertWith visitAgain token (Session token visitor [path]) cache)
  where
    token = Text.pack ("session-" ++ show visitor)
    visitAgain _ old = old {sessionPages = path : sessionPages old}
