{-# LANGUAGE CApiFFI #-}
{-# LANGUAGE CPP #-}
{-# LANGUAGE ExistentialQuantification #-}
{-# LANGUAGE InterruptibleFFI #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# LANGUAGE UnboxedTuples #-}
-- In a profiled program GHC 9.10.3's collector does not survive these frames.
#if __GLASGOW_HASKELL__ >= 910 && !defined(PROFILING)
{-# OPTIONS_GHC -forig-thunk-info #-}
#endif

-- | @zoo@: keeps alive at least one of each closure type and stack frame that
-- a program can make.
--
-- @makes=…@ lists the closure types and @frames=…@ the types of stack frames;
-- @frame.NAME=address@ the info pointers of the RTS's own frames that stand on
-- some stack; @holds.X=n@ that exactly n closures of that constructor exist;
-- @thread.LABEL=state@ what each of the threads does.
--
-- Collectors undo a part of it: evaluated black holes, indirections, dirty
-- arrays, finished threads. That part is made last, and no collection may
-- follow: hence @-I0@, which forbids those of idle programs.
--
-- What is not made, and why: docs/ghc-versions.md.
module Main (main) where

import Control.Concurrent
import Control.Concurrent.STM
import Control.Exception
import Control.Monad (forM, forM_, void, when)
import Data.IORef (newIORef, readIORef, writeIORef)
import Data.List (intercalate)
import Data.Word (Word16)
import Foreign.C.Types (CInt (..), CUInt (..))
import Foreign.ForeignPtr (ForeignPtr, newForeignPtr)
import Foreign.Marshal.Alloc (finalizerFree, mallocBytes)
import GHC.Compact (compact, compactSize)
import GHC.Conc (BlockReason (BlockedOnOther), ThreadId (..), ThreadStatus (..), labelThread, threadStatus, unsafeIOToSTM)
import GHC.Debuggee (Box (..), saveClosures, withDebuggee)
import GHC.Exts
import GHC.IO (IO (..), unsafePerformIO)
import GHC.Word (Word16 (..))
import Report (say, sayReady, waitForLine)
import System.Mem (enableAllocationLimit, performMajorGC, setAllocationCounter)
import System.Mem.StableName (makeStableName)
import System.Mem.Weak (finalize, mkWeak)
import System.Timeout (timeout)

#include "rts/Bytecodes.h"

main :: IO ()
main = withDebuggee $ do
  setNumCapabilities 2
  let sample = n 1000001
  key <- newIORef sample
  arrays <- pinnedAndOthers
  region <- compact [(i, show i) | i <- [1 .. 1000 :: Int]]
  regionBytes <- compactSize region
  name <- makeStableName key
  weaks <- weakPointers key
  byteCode <- byteCodes sample
  continuation <- captured
  cutOff <- cutOffComputations
  evaluated <- evaluate evaluatedCaf
  _ <- evaluate staticCon -- in a profiled program it is a CAF
  partial <- partials sample
  (threads, settled) <- unzip <$> blockedThreads
  (owner, resume) <- blackHoles
  ownArrays <- pointerArrays sample
  performMajorGC
  -- From here on nothing may be collected.
  lateArrays <- pointerArrays sample
  resume
  late <- lateBox sample
  brief <- briefThreads
  runner <- forkIO (ping sample Nothing 1.5## 1#)
  labelThread runner "runnable"
  saveClosures $
    concat
      [ map Box (constructors sample)
      , functions sample
      , thunks sample
      , partial
      , [Box key, Box region, Box name, Box evaluated, Box unevaluatedCaf, Box continuation]
      , arrays
      , weaks
      , byteCode
      , cutOff
      , ownArrays
      , lateArrays
      , [late]
      , [Box never, Box runner]
      , map Box (threads ++ owner ++ map fst brief)
      ]
  say "makes" (intercalate "," closureTypes)
  say "frames" (intercalate "," frameTypes)
  forM_ rtsFrames $ \(frame, address) -> say ("frame." ++ frame) (show address)
  forM_ (constructorCounts (n 1)) $ \(constructor, count) -> say ("holds.Main." ++ constructor) (show count)
  forM_ (settled ++ [("owner", "BlockedOnMVar")] ++ map snd brief) $ \(label, state) -> say ("thread." ++ label) state
  say "compact.bytes" (show regionBytes)
  sayReady
  waitForLine
  _ <- readIORef key
  touch (threads, owner, brief, runner)
  say "end" "reached"

touch :: a -> IO ()
touch x = IO $ \s -> case touch# x s of s1 -> (# s1, () #)

-- | A number that the compiler does not know and the RTS does not share.
n :: Int -> Int
n i = i
{-# OPAQUE n #-}

-- | Nobody ever fills it.
never :: MVar ()
never = unsafePerformIO newEmptyMVar
{-# OPAQUE never #-}

stuck :: IO ()
stuck = takeMVar never
{-# OPAQUE stuck #-}

-- * Constructors

data Con
  = ConNone
  | Con10 Con
  | Con01 Int#
  | Con20 Con Con
  | Con11 Con Int#
  | Con02 Int# Double#
  | Con31 Con Con Con Word#

constructors :: Int -> [Con]
constructors (I# i) =
  [ leaf
  , Con10 leaf
  , Con20 leaf ConNone
  , Con11 leaf (i +# 1#)
  , Con02 i 1.5##
  , Con31 leaf leaf ConNone 7##
  , staticCon
  ]
  where
    leaf = Con01 i
{-# OPAQUE constructors #-}

staticCon :: Con
staticCon = Con20 ConNone ConNone
{-# OPAQUE staticCon #-}

constructorCounts :: Int -> [(String, Int)]
constructorCounts one =
  [ ("ConNone", one)
  , ("Con10", one)
  , ("Con01", one)
  , ("Con20", one + one)
  , ("Con11", one)
  , ("Con02", one)
  , ("Con31", one)
  ]

-- * Functions, thunks, partial applications

-- | Free variables: p pointers and then n others.
functions :: Int -> [Box]
functions k@(I# i) =
  [ fun10 k
  , fun01 i
  , fun20 k [k]
  , fun11 k i
  , fun02 i 2.5##
  , fun31 k [k] (Just k) i
  , Box staticFunction
  ]
{-# OPAQUE functions #-}

fun10 :: a -> Box
fun10 x = Box (\y -> (x, y))
{-# OPAQUE fun10 #-}

fun01 :: Int# -> Box
fun01 i = Box (\(I# y) -> I# (i *# y))
{-# OPAQUE fun01 #-}

fun20 :: a -> b -> Box
fun20 x y = Box (\z -> (x, y, z))
{-# OPAQUE fun20 #-}

fun11 :: a -> Int# -> Box
fun11 x i = Box (\(I# y) -> (x, I# (i *# y)))
{-# OPAQUE fun11 #-}

fun02 :: Int# -> Double# -> Box
fun02 i d = Box (\(I# y) -> D# (d *## int2Double# (i *# y)))
{-# OPAQUE fun02 #-}

fun31 :: a -> b -> c -> Int# -> Box
fun31 x y z i = Box (\(I# k) -> (x, y, z, I# (i *# k)))
{-# OPAQUE fun31 #-}

staticFunction :: Int -> Int
staticFunction i = i + length (show evaluatedCaf)
{-# OPAQUE staticFunction #-}

thunks :: Int -> [Box]
thunks k@(I# i) =
  [ thunk10 k
  , thunk01 i
  , thunk20 k [k]
  , thunk11 k i
  , thunk02 i 2.5##
  , thunk31 k [k] (Just k) i
  , selectorThunk (delayed k)
  , applyThunk staticFunction k
  ]
{-# OPAQUE thunks #-}

thunk10 :: a -> Box
thunk10 x = Box (delayed x)
{-# OPAQUE thunk10 #-}

thunk01 :: Int# -> Box
thunk01 i = Box (delayedInt i)
{-# OPAQUE thunk01 #-}

thunk20 :: a -> b -> Box
thunk20 x y = Box (delayed2 x y)
{-# OPAQUE thunk20 #-}

thunk11 :: a -> Int# -> Box
thunk11 x i = Box (delayed2Int x i)
{-# OPAQUE thunk11 #-}

thunk02 :: Int# -> Double# -> Box
thunk02 i d = Box (delayedNumbers i d)
{-# OPAQUE thunk02 #-}

thunk31 :: a -> b -> c -> Int# -> Box
thunk31 x y z i = Box (delayed2 (x, y) (z, delayedInt i), delayed4 x y z i)
{-# OPAQUE thunk31 #-}

-- | Its pair is a thunk, so that the collector cannot select either.
selectorThunk :: (a, b) -> Box
selectorThunk pair = Box (case pair of (_, y) -> y)
{-# OPAQUE selectorThunk #-}

applyThunk :: (a -> b) -> a -> Box
applyThunk f x = Box (f x)
{-# OPAQUE applyThunk #-}

delayed :: a -> (a, a)
delayed x = (x, x)
{-# OPAQUE delayed #-}

delayedInt :: Int# -> Int
delayedInt i = I# (i +# 1#)
{-# OPAQUE delayedInt #-}

delayed2 :: a -> b -> (b, a)
delayed2 x y = (y, x)
{-# OPAQUE delayed2 #-}

delayed2Int :: a -> Int# -> (Int, a)
delayed2Int x i = (I# i, x)
{-# OPAQUE delayed2Int #-}

delayedNumbers :: Int# -> Double# -> Double
delayedNumbers i d = D# (d *## int2Double# i)
{-# OPAQUE delayedNumbers #-}

delayed4 :: a -> b -> c -> Int# -> (c, b, a, Int)
delayed4 x y z i = (z, y, x, I# i)
{-# OPAQUE delayed4 #-}

evaluatedCaf :: Int
evaluatedCaf = length (show (n 5000000))
{-# OPAQUE evaluatedCaf #-}

unevaluatedCaf :: [Int]
unevaluatedCaf = map n [n 1 .. n 9]
{-# OPAQUE unevaluatedCaf #-}

-- | A thread evaluates it for ever.
stuckCaf :: ()
stuckCaf = unsafePerformIO stuck
{-# OPAQUE stuckCaf #-}

partials :: Int -> IO [Box]
partials k@(I# i) = do
  compiled <- evaluate (apply wide k)
  unboxed <- evaluate (applyInt mixed i k)
  interpreted <- evaluate (apply (unsafeCoerce# byteCodeFunction :: Int -> Int -> Int) k)
  pure [Box compiled, Box unboxed, Box interpreted]
{-# OPAQUE partials #-}

apply :: (a -> b) -> a -> b
apply f x = f x
{-# OPAQUE apply #-}

applyInt :: (Int# -> a -> b) -> Int# -> a -> b
applyInt f i x = f i x
{-# OPAQUE applyInt #-}

wide :: Int -> Int -> Int -> Int
wide x y z = x + y * z
{-# OPAQUE wide #-}

-- | Its arguments' bitmap is none of the common ones.
mixed :: Int# -> Int -> Double# -> Int -> Int# -> Int -> Int
mixed i x d y j z = x + y + z + I# (i +# j +# double2Int# d)
{-# OPAQUE mixed #-}

-- * Arrays

data Bytes = Bytes ByteArray#

data MutableBytes = MutableBytes (MutableByteArray# RealWorld)

pinnedAndOthers :: IO [Box]
pinnedAndOthers = do
  small <- mutable newByteArray# 20
  empty <- mutable newByteArray# 0
  large <- mutable newByteArray# 100000
  pinned <- mutable newPinnedByteArray# 100
  largePinned <- mutable newPinnedByteArray# 2000000
  shrunk <- mutable newByteArray# 1000
  case shrunk of MutableBytes b -> IO $ \s -> (# shrinkMutableByteArray# b 100# s, () #)
  pure (map Box [small, empty, large, pinned, largePinned, shrunk])
  where
    mutable make (I# size) = IO $ \s -> case make size s of
      (# s1, b #) -> case setByteArray# b 0# size 7# s1 of s2 -> (# s2, MutableBytes b #)

data Boxed
  = Mutable (MutableArray# RealWorld Int)
  | Frozen (Array# Int)
  | SmallMutable (SmallMutableArray# RealWorld Int)
  | SmallFrozen (SmallArray# Int)

pointerArrays :: Int -> IO [Box]
pointerArrays x = do
  variable <- newIORef x
  full <- newMVar x
  mutable <- forM [0, 1, 200, 1000] $ \(I# size) ->
    IO $ \s -> case newArray# size x s of (# s1, a #) -> (# s1, Mutable a #)
  frozen <- IO $ \s -> case newArray# 300# x s of
    (# s1, a #) -> case unsafeFreezeArray# a s1 of (# s2, f #) -> (# s2, Frozen f #)
  small <- forM [0, 1, 100] $ \(I# size) ->
    IO $ \s -> case newSmallArray# size x s of (# s1, a #) -> (# s1, SmallMutable a #)
  smallFrozen <- IO $ \s -> case newSmallArray# 30# x s of
    (# s1, a #) -> case unsafeFreezeSmallArray# a s1 of (# s2, f #) -> (# s2, SmallFrozen f #)
  pure ([Box variable, Box full] ++ map Box (frozen : smallFrozen : mutable ++ small))
{-# OPAQUE pointerArrays #-}

-- * Weak pointers

-- | With each kind of finalizer and with none, and two dead ones.
weakPointers :: a -> IO [Box]
weakPointers key = do
  variable <- newIORef (n 77)
  withFinalizer <- mkWeak variable "value" (Just (writeIORef variable 78))
  without <- mkWeak variable "another" Nothing
  finalized <- mkWeak key "dead" Nothing
  finalize finalized
  cut <- mkWeak (delayed variable) "whose key dies" Nothing
  foreignPtr <- newForeignPtr finalizerFree =<< mallocBytes 16 :: IO (ForeignPtr Int)
  pure [Box variable, Box withFinalizer, Box without, Box finalized, Box cut, Box foreignPtr]

-- * Byte code

-- | Byte code of 16-bit instructions, with literals and pointers, that takes
-- as many arguments as its arity says, or stands in a frame of as many words
-- as its bitmap has.
newBCO :: [Word16] -> [Word] -> [Box] -> Int -> [Word] -> IO BCO
newBCO instructions literals pointers (I# arity) bitmap = do
  Bytes i <- bytes instructions 2# (\a k (W16# w) s -> writeWord16Array# a k w s)
  Bytes l <- bytes literals 8# (\a k (W# w) s -> writeWordArray# a k w s)
  Bytes b <- bytes bitmap 8# (\a k (W# w) s -> writeWordArray# a k w s)
  IO $ \s -> case newArray# (len pointers) (undefined :: Any) s of
    (# s1, a #) -> case fill a 0# pointers s1 of
      s2 -> case unsafeFreezeArray# a s2 of
        (# s3, p #) -> newBCO# i l p arity b s3
  where
    len xs = case length xs of I# k -> k
    fill a k (Box x : rest) s = fill a (k +# 1#) rest (writeArray# a k (unsafeCoerce# x) s)
    fill _ _ [] s = s
    bytes :: [w] -> Int# -> (MutableByteArray# RealWorld -> Int# -> w -> State# RealWorld -> State# RealWorld) -> IO Bytes
    bytes ws size write = IO $ \s -> case newByteArray# (len ws *# size) s of
      (# s1, a #) -> case unsafeFreezeByteArray# a (writeAll a 0# ws s1) of (# s2, f #) -> (# s2, Bytes f #)
      where
        writeAll a k (w : rest) s = writeAll a (k +# 1#) rest (write a k w s)
        writeAll _ _ [] s = s

-- | @\\x i# -> x@, for partial application.
byteCodeFunction :: BCO
byteCodeFunction = unsafePerformIO (newBCO [bci_PUSH_L, 0, bci_SLIDE, 1, 2, bci_ENTER] [] [] 2 [2, 2])
{-# OPAQUE byteCodeFunction #-}

-- | An application without arguments, one with, and a thread that interprets.
byteCodes :: Int -> IO [Box]
byteCodes x = do
  constant <- newBCO [bci_PUSH_G, 0, bci_ENTER] [] [Box x] 0 [0]
  identity <- newBCO [bci_PUSH_L, 0, bci_SLIDE, 1, 1, bci_ENTER] [] [] 1 [1, 0]
  -- let ap = identity x in Just ap
  maker <-
    newBCO
      [ bci_ALLOC_AP, 1, bci_PUSH_APPLY_P, bci_PUSH_G, 0, bci_PUSH_G, 1, bci_MKAP, 3, 1
      , bci_PUSH_G, 2, bci_ENTER
      ]
      []
      [Box x, Box identity, Box (wrap :: Int -> Maybe Int)]
      0
      [0]
  made <- evaluate (application maker :: Maybe Int)
  -- case stuck of r -> r, with a pointer and a number in the frame
  alternative <- newBCO [bci_SLIDE, 1, 4, bci_ENTER] [] [] 0 [2, 2]
  waiter <-
    newBCO
      [bci_PUSH_UBX, 0, 1, bci_PUSH_G, 0, bci_PUSH_ALTS_P, 1, bci_PUSH_G, 2, bci_ENTER]
      [12345]
      [Box x, Box alternative, Box (blockedValue x)]
      0
      [0]
  pure
    [ Box constant
    , Box (application constant :: Int)
    , Box made
    , Box (application waiter :: Int)
    ]

application :: BCO -> a
application bco = case mkApUpd0# bco of (# x #) -> x

wrap :: a -> Maybe a
wrap x = Just x
{-# OPAQUE wrap #-}

blockedValue :: a -> a
blockedValue x = unsafePerformIO (x <$ stuck)
{-# OPAQUE blockedValue #-}

-- * Continuations and cut-off computations

data Captured = forall k. Captured k | Lost

data Tag a = Tag (PromptTag# a)

newTag :: IO (Tag a)
newTag = IO $ \s -> case newPromptTag# s of (# s1, t #) -> (# s1, Tag t #)

prompt :: Tag a -> IO a -> IO a
prompt (Tag t) (IO io) = IO (prompt# t io)

-- | A continuation with a handler, a mask frame and many other frames.
captured :: IO Captured
captured = do
  tag <- newTag
  prompt tag (Lost <$ (mask_ (descend 3000 (capture tag)) `catch` \(e :: SomeException) -> 0 <$ throwIO e))
  where
    capture (Tag t) = IO (control0# t (\k s -> (# s, Captured k #)))
{-# OPAQUE captured #-}

-- | As many stack frames.
descend :: Int -> IO a -> IO Int
descend 0 bottom = 0 <$ bottom
descend depth bottom = (+ 1) <$> descend (depth - 1) bottom
{-# OPAQUE descend #-}

-- | Left by asynchronous exceptions: of a loop, which stops at the entry of a
-- function; of a recursion over several stack chunks; of one that waits for
-- another thread's black hole.
cutOffComputations :: IO [Box]
cutOffComputations = do
  let loop = spin (n 5) Nothing 1.5## 1#
      recursion = deepWait (n 20000)
      other = blockedValue (n 3)
      waiting = deepValue (n 10) other
  Nothing <- timeout 20000 (evaluate loop)
  cut recursion
  holder <- spawn "holder" (void (evaluate other))
  cut waiting
  pure [Box loop, Box recursion, Box waiting, Box other, Box (fst holder)]
  where
    cut :: a -> IO ()
    cut computation = do
      (thread, _) <- spawn "cut off" (void (evaluate computation))
      killThread thread
      void (settle thread)

spin, spun :: a -> Maybe a -> Double# -> Int# -> Int
spin x y d i
  | isTrue# (i <# 0#) = consumed x y d
  | otherwise = spun x (Just x) (d +## 1.0##) (i +# 1#)
{-# OPAQUE spin #-}
spun x y d i
  | isTrue# (i <# 0#) = consumed x y d
  | otherwise = spin x (Just x) (d -## 1.0##) (i +# 1#)
{-# OPAQUE spun #-}

consumed :: a -> Maybe a -> Double# -> Int
consumed _ y d = length y + I# (double2Int# d)
{-# OPAQUE consumed #-}

deepWait :: Int -> Int
deepWait 0 = blockedValue 1
deepWait depth = 1 + deepWait (depth - 1)
{-# OPAQUE deepWait #-}

deepValue :: Int -> Int -> Int
deepValue 0 x = x
deepValue depth x = 1 + deepValue (depth - 1) x
{-# OPAQUE deepValue #-}

-- * Threads

foreign import ccall safe "pause" c_pause :: IO CInt

foreign import ccall interruptible "pause" c_pauseInterruptible :: IO CInt

foreign import ccall unsafe "usleep" c_usleep :: CUInt -> IO CInt

type Settled = (ThreadId, (String, String))

-- | Starts a thread and waits until it does not run any more.
spawn :: String -> IO () -> IO (ThreadId, String)
spawn label action = do
  thread <- forkIO action
  labelThread thread label
  state <- settle thread
  pure (thread, state)

settle :: ThreadId -> IO String
settle thread = do
  status <- threadStatus thread
  case status of
    ThreadRunning -> threadDelay 200 >> settle thread
    ThreadBlocked BlockedOnOther -> threadDelay 200 >> settle thread -- it migrates
    ThreadBlocked reason -> pure (show reason)
    _ -> pure (show status)

blockedThreads :: IO [Settled]
blockedThreads = do
  full <- newMVar ()
  variables <- mapM newTVarIO [1 .. 20 :: Int]
  target <- newEmptyMVar
  started <- forM (named full variables target) $ \(label, action) -> do
    (thread, state) <- spawn label action
    when (label == "foreign") $ putMVar target thread
    pure (thread, (label, state))
  bound <- forkOS stuck
  labelThread bound "bound"
  boundState <- settle bound
  pinnedThread <- forkOn 1 stuck
  labelThread pinnedThread "locked"
  lockedState <- settle pinnedThread
  pure (started ++ [(bound, ("bound", boundState)), (pinnedThread, ("locked", lockedState))])
  where
    named full variables target =
      [ ("taker", stuck)
      , ("reader", readMVar never)
      , ("putter", putMVar full ())
      , ("secondPutter", putMVar full ())
      , ("retrying", atomically (mapM readTVar variables >>= \vs -> when (sum vs > 0) retry))
      , ("transaction", transaction variables)
      , ("foreign", void c_pause)
      , ("interruptible", void c_pauseInterruptible)
      , ("throwing", readMVar target >>= \t -> throwTo t (ErrorCall "waits"))
      , ("sleeping", threadDelay 3600000000)
      , ("deep", void (descend 20000 stuck))
      , ("bigFrame", bigFrame (n 3) >>= print)
      , ("masked", mask_ (stuck >> pure ()) >> touch full)
      , ("unmasked", mask (\restore -> restore stuck >> touch full) >> touch full)
      , ("uninterruptible", uninterruptibleMask (\restore -> mask_ (restore stuck >> touch full) >> touch full) >> touch full)
      , ("handling", stuck `catch` \(e :: SomeException) -> throwIO e)
      , ("keepingAlive", keepingAlive full stuck >> touch full)
      , ("prompting", newTag >>= \tag -> prompt tag (stuck >> touch full) >> touch full)
      , ("limited", setAllocationCounter 100000000 >> enableAllocationLimit >> stuck)
      , ("evaluatingCaf", evaluate stuckCaf)
      , ("waitingForCaf", evaluate stuckCaf)
      , ("interpreting", interpreting)
      , ("applying", apply (blockedValue staticFunction) (n 3) `seq` pure ())
      ]

-- | A thread with byte code on its stack.
interpreting :: IO ()
interpreting = do
  boxes <- byteCodes (n 1000002)
  case last boxes of Box x -> void (evaluate x)

keepingAlive :: a -> IO b -> IO b
keepingAlive x (IO io) = IO (\s -> keepAlive# x s io)
{-# OPAQUE keepingAlive #-}

-- | Blocks in the middle: all kinds of STM frames, two transactions' logs, the
-- outer of two chunks.
transaction :: [TVar Int] -> IO ()
transaction variables = atomically $ do
  forM_ variables $ \v -> readTVar v >>= writeTVar v . (+ 1)
  catchSTM (inner `orElse` retry) (\(e :: SomeException) -> throwSTM e)
  mapM_ (`writeTVar` 0) variables
  where
    inner = do
      mapM_ (`writeTVar` 7) (take 1 variables)
      unsafeIOToSTM stuck
      mapM_ (`writeTVar` 8) (take 1 variables)
{-# OPAQUE transaction #-}

-- | More live words than a small bitmap describes.
bigFrame :: Int -> IO [Int]
bigFrame k = do
  let f = bigPart k
      g = bigNumber k
  a1 <- f 1; a2 <- f 2; a3 <- f 3; a4 <- f 4; a5 <- f 5; a6 <- f 6; a7 <- f 7; a8 <- f 8
  I# b1 <- g 1; I# b2 <- g 2; I# b3 <- g 3; I# b4 <- g 4; I# b5 <- g 5; I# b6 <- g 6; I# b7 <- g 7
  c1 <- f 1; c2 <- f 2; c3 <- f 3; c4 <- f 4; c5 <- f 5; c6 <- f 6; c7 <- f 7; c8 <- f 8
  I# d1 <- g 1; I# d2 <- g 2; I# d3 <- g 3; I# d4 <- g 4; I# d5 <- g 5; I# d6 <- g 6; I# d7 <- g 7
  e1 <- f 1; e2 <- f 2; e3 <- f 3; e4 <- f 4; e5 <- f 5; e6 <- f 6; e7 <- f 7; e8 <- f 8
  h1 <- f 1; h2 <- f 2; h3 <- f 3; h4 <- f 4; h5 <- f 5; h6 <- f 6; h7 <- f 7; h8 <- f 8
  I# i1 <- g 1; I# i2 <- g 2; I# i3 <- g 3; I# i4 <- g 4; I# i5 <- g 5; I# i6 <- g 6; I# i7 <- g 7
  l1 <- f 1; l2 <- f 2; l3 <- f 3; l4 <- f 4; l5 <- f 5; l6 <- f 6; l7 <- f 7; l8 <- f 8
  stuck
  pure $
    [a1, a2, a3, a4, a5, a6, a7, a8, c1, c2, c3, c4, c5, c6, c7, c8, e1, e2, e3, e4, e5, e6, e7, e8]
      ++ [h1, h2, h3, h4, h5, h6, h7, h8, l1, l2, l3, l4, l5, l6, l7, l8]
      ++ [I# b1, I# b2, I# b3, I# b4, I# b5, I# b6, I# b7, I# d1, I# d2, I# d3, I# d4, I# d5, I# d6, I# d7]
      ++ [I# i1, I# i2, I# i3, I# i4, I# i5, I# i6, I# i7]
{-# OPAQUE bigFrame #-}

bigPart, bigNumber :: Int -> Int -> IO Int
bigPart k i = pure (k * i)
{-# OPAQUE bigPart #-}
bigNumber k i = pure $! k * i
{-# OPAQUE bigNumber #-}

-- | A thread that evaluates a thunk inside another, with others that wait for
-- each; and what lets the inner one end. Its queue then becomes an
-- indirection in the list of the owner's queues.
blackHoles :: IO ([ThreadId], IO ())
blackHoles = do
  gate <- newEmptyMVar
  let inner = gated gate
      outer = afterwards inner
  (owner, _) <- spawn "owner" (void (evaluate outer))
  (waiter, _) <- spawn "waitingForOuter" (void (evaluate outer))
  (innerWaiter, _) <- spawn "waitingForInner" (void (evaluate inner))
  let resume = do
        putMVar gate (n 9)
        awaitEnd innerWaiter
        void (settle owner)
  pure ([owner, waiter], resume)

awaitEnd :: ThreadId -> IO ()
awaitEnd thread = do
  status <- threadStatus thread
  when (status /= ThreadFinished && status /= ThreadDied) $ threadDelay 200 >> awaitEnd thread

gated :: MVar Int -> Int
gated gate = unsafePerformIO (takeMVar gate)
{-# OPAQUE gated #-}

afterwards :: Int -> Int
afterwards inner = case inner of i -> i + blockedValue i
{-# OPAQUE afterwards #-}

-- | Finished threads are forgotten by the next collection.
briefThreads :: IO [(ThreadId, (String, String))]
briefThreads = do
  (finished, finishedState) <- spawn "finished" (pure ())
  died <- IO $ \s -> case fork# (unIO (throwIO (ErrorCall "died"))) s of (# s1, t #) -> (# s1, ThreadId t #)
  labelThread died "died"
  diedState <- settle died
  killed <- IO $ \s -> case fork# (unIO stuck) s of (# s1, t #) -> (# s1, ThreadId t #)
  labelThread killed "killed"
  _ <- settle killed
  killThread killed
  killedState <- settle killed
  pure
    [ (finished, ("finished", finishedState))
    , (died, ("died", diedState))
    , (killed, ("killed", killedState))
    ]
  where
    unIO (IO io) = io

-- | An evaluated thunk that the collector has not seen.
lateBox :: Int -> IO Box
lateBox k = case thunk10 k of
  box@(Box x) -> x `seq` pure box

-- | Runs for ever, at almost no cost: sleeping counts as running. It can stop
-- at the functions' entries only.
ping, pong :: a -> Maybe a -> Double# -> Int# -> IO ()
ping x y d i = do
  _ <- c_usleep 1000
  if isTrue# (i <# 0#) then print (consumed x y d) else pong x (Just x) (d +## 1.0##) (i +# 1#)
{-# OPAQUE ping #-}
pong x y d i = do
  _ <- c_usleep 1000
  if isTrue# (i <# 0#) then print (consumed x y d) else ping x (Just x) (d -## 1.0##) (i +# 1#)
{-# OPAQUE pong #-}

-- * What is promised

closureTypes :: [String]
closureTypes =
  concatMap
    words
    [ "CONSTR CONSTR_1_0 CONSTR_0_1 CONSTR_2_0 CONSTR_1_1 CONSTR_0_2 CONSTR_NOCAF"
    , "FUN FUN_1_0 FUN_0_1 FUN_2_0 FUN_1_1 FUN_0_2 FUN_STATIC"
    , "THUNK THUNK_1_0 THUNK_0_1 THUNK_2_0 THUNK_1_1 THUNK_0_2 THUNK_STATIC THUNK_SELECTOR"
    , "BCO AP PAP AP_STACK IND IND_STATIC BLOCKING_QUEUE BLACKHOLE"
    , "MVAR_CLEAN MVAR_DIRTY TVAR MUT_VAR_CLEAN MUT_VAR_DIRTY WEAK PRIM MUT_PRIM ARR_WORDS"
    , "MUT_ARR_PTRS_CLEAN MUT_ARR_PTRS_DIRTY MUT_ARR_PTRS_FROZEN_CLEAN MUT_ARR_PTRS_FROZEN_DIRTY"
    , "SMALL_MUT_ARR_PTRS_CLEAN SMALL_MUT_ARR_PTRS_DIRTY"
    , "SMALL_MUT_ARR_PTRS_FROZEN_CLEAN SMALL_MUT_ARR_PTRS_FROZEN_DIRTY"
    , "TSO STACK TREC_CHUNK CONTINUATION COMPACT_NFDATA"
    ]

frameTypes :: [String]
frameTypes =
  concatMap
    words
    [ "RET_BCO RET_SMALL RET_BIG RET_FUN UPDATE_FRAME CATCH_FRAME UNDERFLOW_FRAME STOP_FRAME"
    , "ATOMICALLY_FRAME CATCH_RETRY_FRAME CATCH_STM_FRAME"
    ]

foreign import ccall "&stg_marked_upd_frame_info" markedUpdFrame :: Ptr ()

foreign import ccall "&stg_atomically_waiting_frame_info" atomicallyWaitingFrame :: Ptr ()

foreign import ccall "&stg_atomically_frame_info" atomicallyFrame :: Ptr ()

foreign import ccall "&stg_unmaskAsyncExceptionszh_ret_info" unmaskFrame :: Ptr ()

foreign import ccall "&stg_maskAsyncExceptionszh_ret_info" maskFrame :: Ptr ()

foreign import ccall "&stg_maskUninterruptiblezh_ret_info" maskUninterruptibleFrame :: Ptr ()

foreign import ccall "&stg_keepAlive_frame_info" keepAliveFrame :: Ptr ()

foreign import ccall "&stg_prompt_frame_info" promptFrame :: Ptr ()

foreign import ccall "&stg_gc_fun_info" gcFunFrame :: Ptr ()

foreign import ccall "&stg_ctoi_R1p_info" ctoiFrame :: Ptr ()

foreign import ccall "&stg_enter_info" enterFrame :: Ptr ()

#if __GLASGOW_HASKELL__ >= 910 && !defined(PROFILING)
foreign import ccall "&stg_orig_thunk_info_frame_info" origThunkFrame :: Ptr ()
#endif

rtsFrames :: [(String, Ptr ())]
rtsFrames =
  [ ("markedUpd", markedUpdFrame)
  , ("atomicallyWaiting", atomicallyWaitingFrame)
  , ("atomically", atomicallyFrame)
  , ("unmask", unmaskFrame)
  , ("mask", maskFrame)
  , ("maskUninterruptible", maskUninterruptibleFrame)
  , ("keepAlive", keepAliveFrame)
  , ("prompt", promptFrame)
  , ("gcFun", gcFunFrame)
  , ("ctoiR1p", ctoiFrame)
  , ("enter", enterFrame)
#if __GLASGOW_HASKELL__ >= 910 && !defined(PROFILING)
  , ("origThunkInfo", origThunkFrame)
#endif
  ]
