-- |
-- Control of the program's eventlog while it runs: to where it goes, which
-- events are in it, heap profiles. No @+RTS -l@ is needed. A debugger has the same by
-- its own connection.
--
-- All of it works inside of 'GHC.Debuggee.withDebuggee', and gives 'False', after a
-- line on @stderr@, where something is impossible.
module GHC.Debuggee.EventLog
  ( EventClass (..)
  , logToFile
  , logToDescriptor
  , stopLog
  , flushLog
  , switchEvents
  , startHeapProfile
  , stopHeapProfile
  , takeCensus
  ) where

import Data.Bits (bit, (.|.))
import Data.Word (Word32)
import Foreign.C.String (CString)
import Foreign.C.Types (CBool (..), CInt (..), CUInt (..))
import Foreign.Marshal.Utils (toBool)
import System.Posix.Internals (withFilePath)

foreign import ccall safe "ghc_debuggee_log_to_file" c_to_file :: CString -> Word32 -> IO CBool

foreign import ccall safe "ghc_debuggee_log_to_descriptor" c_to_descriptor :: CInt -> Word32 -> IO CBool

foreign import ccall safe "ghc_debuggee_log_stop" c_stop :: IO CBool

foreign import ccall safe "ghc_debuggee_log_flush" c_flush :: IO CBool

foreign import ccall safe "ghc_debuggee_log_classes" c_classes :: Word32 -> Word32 -> IO CBool

foreign import ccall safe "ghc_debuggee_heap_profile" c_profile :: CUInt -> IO CBool

-- | As the letters @s@, @g@, @n@, @p@, @f@ and @u@ of @+RTS -l@ name them.
-- Of the collector's events, the ends of collections come only where the runtime keeps
-- statistics (@+RTS -T@), what belongs to the heap as a whole (its size, what is live)
-- only if the program was started with @+RTS -lg@.
data EventClass
  = Scheduler
  | GarbageCollector
  | NonMovingCollector
  | SparksSampled
  | EverySpark
  | User
  | Capabilities
  deriving (Bounded, Enum, Eq, Show)

classBits :: [EventClass] -> Word32
classBits = foldr ((.|.) . bit . fromEnum) 0

-- | Starts a log, complete with its header and the labels of threads, into a file,
-- which is written anew once the log has begun, or a FIFO that has a reader. These
-- classes of events are switched on for as long as it lasts: until 'stopLog' or the end
-- of the program, which waits for a slow reader for two seconds at most. What such a
-- reader leaves no room for is dropped, whole blocks of the log; one that takes nothing
-- for ten seconds ends it.
logToFile :: [EventClass] -> FilePath -> IO Bool
logToFile classes path = toBool <$> withFilePath path (`c_to_file` classBits classes)

-- | The same to a descriptor, of which a duplicate is used.
logToDescriptor :: [EventClass] -> CInt -> IO Bool
logToDescriptor classes descriptor = toBool <$> c_to_descriptor descriptor (classBits classes)

-- | Ends the eventlog, whoever began it, @+RTS -l@ included.
stopLog :: IO Bool
stopLog = toBool <$> c_stop

-- | Has the runtime hand out the events that it has gathered. While a log of this
-- module lasts, that happens twice a second by itself.
flushLog :: IO Bool
flushLog = toBool <$> c_flush

-- | Switches classes of events on, and others off. 'False' in dynamically linked
-- programs, whose runtime hides the switches.
switchEvents :: [EventClass] -> [EventClass] -> IO Bool
switchEvents on off = toBool <$> c_classes (classBits on) (classBits off)

-- | Starts the regular censuses of the heap profile, which go into the eventlog; only in a
-- program started with one, such as @+RTS -hT --no-automatic-heap-samples@.
startHeapProfile :: IO Bool
startHeapProfile = toBool <$> c_profile 1

stopHeapProfile :: IO Bool
stopHeapProfile = toBool <$> c_profile 0

-- | Takes one census, with a major collection.
takeCensus :: IO Bool
takeCensus = toBool <$> c_profile 2
