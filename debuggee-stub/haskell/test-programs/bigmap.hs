-- | @bigmap N@: a map of N records, and what it holds as independent truth.
--
-- No other @Data.Map@ exists in the program, so that the numbers of a heap
-- census can be compared with those printed, constructor by constructor.
-- @holds.X=n@ means that exactly n closures of that kind exist in all of
-- the program; @map.X=n@ that the map holds n, and others may exist.
module Main (main) where

import Control.DeepSeq (rnf)
import Control.Exception (evaluate)
import Control.Monad (forM_)
import qualified Data.List as List
import qualified Data.Map.Strict as Map
import Data.Map.Strict (Map)
import qualified Data.Text as Text
import Data.Text (Text)
import GHC.Debuggee (Box (..), saveClosures, withDebuggee)
import Report (argument, ready, say, waitForLine)

data Record = Record
  { recordId :: {-# NOUNPACK #-} !Int
  , recordName :: !String -- one of a few, shared
  , recordLabel :: !Text
  , recordParent :: !(Maybe Int)
  , recordScore :: Score -- lazy
  }

-- | Every other record has one; in every tenth it is not yet worked out.
data Score
  = Unrated
  | Score {-# NOUNPACK #-} !Int

main :: IO ()
main = withDebuggee $ do
  size <- argument 1000
  evaluate (rnf names)
  records <- evaluate (bigMap size)
  numerals <- evaluate (Map.fromList (zip [1 ..] ["one", "two", "three", "four", "five"]))
  evaluate (rnf (numerals :: Map Int String))
  saveClosures [Box records, Box numerals]
  forM_ (truth size (Map.size numerals)) $ \(key, number) -> say key (show number)
  ready
  waitForLine
  say "size" (show (Map.size records + Map.size numerals))

-- | Not by 'Map.fromDistinctAscList': in some versions of containers it
-- leaves thunks behind even in its strict form.
bigMap :: Int -> Map Int Record
bigMap size = List.foldl' (\m i -> Map.insert i (record i) m) Map.empty [0 .. size - 1]

-- | All of it is evaluated, except a score that is due later.
record :: Int -> Record
record i
  | isDue i = complete (dueScore number)
  | isRated i = complete $! Score (scoreOf number)
  | otherwise = complete Unrated
  where
    complete = Record number (names !! (i `mod` nameCount)) label parent
    number = i + 1000000 -- beyond the small numbers that the RTS shares
    label = Text.pack ("record " ++ show i)
    parent = if hasParent i then Just $! number `div` 2 else Nothing
{-# NOINLINE record #-}

hasParent, isRated, isDue :: Int -> Bool
hasParent i = i `mod` 4 /= 0
isRated i = odd i
isDue i = i `mod` 10 == 5

-- | The thunk: one for each record that is due.
dueScore :: Int -> Score
dueScore n = Score (scoreOf (n * 7))
{-# NOINLINE dueScore #-}

scoreOf :: Int -> Int
scoreOf n = n * n + 1000
{-# NOINLINE scoreOf #-}

nameCount :: Int
nameCount = 8

names :: [String]
names = ["alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi"]

truth :: Int -> Int -> [(String, Int)]
truth size numerals =
  [ ("holds.Data.Map.Internal.Bin", size + numerals)
  , ("holds.Main.Record", size)
  , ("holds.Main.Score", count (\i -> isRated i && not (isDue i)))
  , ("map.Data.Map.Internal.Bin", size)
  , ("map.Data.Text.Internal.Text", size)
  , ("map.GHC.Maybe.Just", count hasParent)
  , ("map.thunks", count isDue)
  , ("numerals.Data.Map.Internal.Bin", numerals)
  ]
  where
    count p = length (filter p [0 .. size - 1])
