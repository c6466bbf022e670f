-- | @unthreaded@: asks for a debugger, and is not linked with @-threaded@.
module Main (main) where

import GHC.Debug.Stub (withGhcDebug)
import Report (say)

main :: IO ()
main = withGhcDebug $ say "sum" (show (sum [1 .. 1000 :: Int]))
