/*
 * The RTS's headers, and everything that depends on its version.
 */
#ifndef GHCDBG_RTS_H
#define GHCDBG_RTS_H

/* GHC's -threaded does not define this for C files, and several RTS
 * structures have another size without it. */
#ifndef THREADED_RTS
#define THREADED_RTS 1
#endif

#include <Rts.h>

#if __GLASGOW_HASKELL__ < 906
#error "ghc-debuggee needs GHC 9.6 or newer"
#endif
#if !defined(TABLES_NEXT_TO_CODE) || WORD_SIZE_IN_BITS != 64 || !defined(USE_INLINE_SRT_FIELD)
#error "ghc-debuggee needs a 64-bit platform with tables next to code"
#endif

/* 9.10.2 made closure_desc a number. */
#define GHCDBG_IPE_NUMERIC_DESC \
  (__GLASGOW_HASKELL__ > 910 || \
   (__GLASGOW_HASKELL__ == 910 && __GLASGOW_HASKELL_PATCHLEVEL1__ >= 2))

/* Looks an info pointer up in the provenance map. The RTS hashes the
 * pointer and never reads through it, so that any value is safe. */
static inline bool ghcdbg_lookup_ipe(const StgInfoTable *info, InfoProvEnt *out) {
#if __GLASGOW_HASKELL__ >= 910
  return lookupIPE(info, out);
#else
  const InfoProvEnt *found = lookupIPE(info);
  if (found == NULL) {
    return false;
  }
  *out = *found;
  return true;
#endif
}

/* Does the provenance map know the program's own code? Its main module is as
 * good as any other; weak, because the program may not have one. */
extern const StgInfoTable ZCMain_main_info __attribute__((weak));
static inline bool ghcdbg_has_ipe(void) {
  InfoProvEnt entry;
  return &ZCMain_main_info != NULL && ghcdbg_lookup_ipe(&ZCMain_main_info, &entry);
}

/* The RTS's: set while some thread waits for all capabilities. In a forked child that thread is
 * not there any more, and forkProcess does not clear it: the child would wait for ever. Weak,
 * because a dynamically linked RTS does not show it. */
extern void *volatile pending_sync __attribute__((weak));
static inline void ghcdbg_forget_pending_sync(void) {
  if (&pending_sync != NULL) {
    pending_sync = NULL;
  }
}

/* What the RTS was started with; weak for the same reason. */
extern RtsConfig rtsConfig __attribute__((weak));

/* In 9.10 rts_pause and the non-moving collector's mark thread wait for
 * each other for ever; seen within seconds on 9.10.3, never on 9.6.6. */
static inline bool ghcdbg_pausing_deadlocks(void) {
  return __GLASGOW_HASKELL__ >= 910 && RtsFlags.GcFlags.useNonmoving;
}

#endif
