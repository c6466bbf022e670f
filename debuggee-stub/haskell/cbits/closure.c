#include "closure.h"

#include <stddef.h>

#include "blocks.h"
#include "memory.h"

bool ghcdbg_info_read(uint64_t info, StgInfoTable *out) {
  return info % sizeof(StgWord) == 0 && info >= sizeof *out &&
         ghcdbg_memory_read(ghcdbg_table_start(info, sizeof *out), out, sizeof *out) &&
         out->type != INVALID_OBJECT && out->type < N_CLOSURE_TYPES;
}

bool ghcdbg_info_is_frame(const StgInfoTable *table) {
  switch (table->type) {
    case RET_BCO:
    case RET_SMALL:
    case RET_BIG:
    case RET_FUN:
    case UPDATE_FRAME:
    case CATCH_FRAME:
    case UNDERFLOW_FRAME:
    case STOP_FRAME:
    case ATOMICALLY_FRAME:
    case CATCH_RETRY_FRAME:
    case CATCH_STM_FRAME:
#if defined(ANN_FRAME)
    case ANN_FRAME:
#endif
      return true;
    default:
      return false;
  }
}

uint64_t ghcdbg_info_srt(uint64_t info, const StgInfoTable *table) {
  if (!hasSRT(closure_flags[table->type]) || table->srt == 0) {
    return 0;
  }
  return info + (uint64_t)(int64_t)table->srt;
}

bool ghcdbg_closure_info(uint64_t address, uint64_t *info, StgInfoTable *table) {
  return ghcdbg_heap_read(address, info, sizeof *info) && ghcdbg_info_read(*info, table);
}

/* Words of the fixed part of a closure type, and its field `field`. */
#define FIXED_WORDS(type) (sizeof(type) / sizeof(StgWord))
#define READ_FIELD(address, type, field, into) \
  ghcdbg_heap_read((address) + offsetof(type, field), &(into), sizeof(into))

static uint64_t computed_words(uint64_t address, const StgInfoTable *table) {
  const uint64_t payload =
      (uint64_t)table->layout.payload.ptrs + (uint64_t)table->layout.payload.nptrs;
  StgWord words;
  StgHalfWord half;
  switch (table->type) {
    case THUNK:
    case THUNK_1_0:
    case THUNK_0_1:
    case THUNK_2_0:
    case THUNK_1_1:
    case THUNK_0_2:
      return FIXED_WORDS(StgThunk) + payload;
    case THUNK_SELECTOR:
      return FIXED_WORDS(StgSelector);
    case AP:
      return READ_FIELD(address, StgAP, n_args, half) ? FIXED_WORDS(StgAP) + half : 0;
    case PAP:
      return READ_FIELD(address, StgPAP, n_args, half) ? FIXED_WORDS(StgPAP) + half : 0;
    case AP_STACK:
      if (!READ_FIELD(address, StgAP_STACK, size, words) || words > UINT32_MAX) {
        return 0;
      }
      return FIXED_WORDS(StgAP_STACK) + words;
    case BCO:
      return READ_FIELD(address, StgBCO, size, half) ? half : 0;
    case ARR_WORDS:
      if (!READ_FIELD(address, StgArrBytes, bytes, words)) {
        return 0;
      }
      return FIXED_WORDS(StgArrBytes) + words / sizeof(StgWord) +
             (words % sizeof(StgWord) != 0);
    case MUT_ARR_PTRS_CLEAN:
    case MUT_ARR_PTRS_DIRTY:
    case MUT_ARR_PTRS_FROZEN_CLEAN:
    case MUT_ARR_PTRS_FROZEN_DIRTY:
      if (!READ_FIELD(address, StgMutArrPtrs, size, words) || words > UINT64_MAX / 16) {
        return 0;
      }
      return FIXED_WORDS(StgMutArrPtrs) + words;
    case SMALL_MUT_ARR_PTRS_CLEAN:
    case SMALL_MUT_ARR_PTRS_DIRTY:
    case SMALL_MUT_ARR_PTRS_FROZEN_CLEAN:
    case SMALL_MUT_ARR_PTRS_FROZEN_DIRTY:
      if (!READ_FIELD(address, StgSmallMutArrPtrs, ptrs, words) || words > UINT64_MAX / 16) {
        return 0;
      }
      return FIXED_WORDS(StgSmallMutArrPtrs) + words;
    case TSO:
      return FIXED_WORDS(StgTSO);
    case STACK:
      return READ_FIELD(address, StgStack, stack_size, half) ? FIXED_WORDS(StgStack) + half : 0;
    case TREC_CHUNK:
      return FIXED_WORDS(StgTRecChunk);
    case COMPACT_NFDATA:
      return FIXED_WORDS(StgCompactNFData);
    case CONTINUATION:
      if (!READ_FIELD(address, StgContinuation, stack_size, words) || words > UINT32_MAX) {
        return 0;
      }
      return FIXED_WORDS(StgContinuation) + words;
    default:
      return ghcdbg_info_is_frame(table) ? 0 : FIXED_WORDS(StgHeader) + payload;
  }
}

uint64_t ghcdbg_closure_words(uint64_t address, const StgInfoTable *table) {
  const uint64_t words = computed_words(address, table);
#if defined(GHCDBG_CHECK_SIZES)
  /* For tests that ask for closures only: reads through the address. */
  if (words != closure_sizeW_((const StgClosure *)(uintptr_t)address, table)) {
    barf("ghc-debuggee: closure of type %u: %lu words computed", (unsigned)table->type,
         (unsigned long)words);
  }
#endif
  return words;
}
