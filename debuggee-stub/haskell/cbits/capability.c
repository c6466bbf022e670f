#include "capability.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "closure.h"
#include "memory.h"
#include "rts.h"

enum { CAPABILITIES_MAX = 1024, FIRST_NAP = 20000, LONGEST_NAP = 1000000, LABEL_MAX = 64 };

/* In the RTS's archive, but not among the symbols of its shared library. In 9.8
 * it may be one or the other. */
#if __GLASGOW_HASKELL__ >= 910
extern CapabilityPublic **capabilities __attribute__((weak));
#define ALL_CAPABILITIES (&capabilities == NULL ? NULL : capabilities)
#elif __GLASGOW_HASKELL__ == 906
extern CapabilityPublic *capabilities[] __attribute__((weak));
#define ALL_CAPABILITIES capabilities
#else
#define ALL_CAPABILITIES NULL
#endif

static uint32_t number_of_capabilities(void) {
  CapabilityPublic **all = ALL_CAPABILITIES;
  const uint32_t n = getNumCapabilities();
  return all == NULL ? 0 : n < CAPABILITIES_MAX ? n : CAPABILITIES_MAX;
}

static StgTSO *running_thread(uint32_t i) {
  CapabilityPublic **all = ALL_CAPABILITIES;
  return *(StgTSO *volatile *)&all[i]->r.rCurrentTSO;
}

/* The heap limit that makes the next heap check fail. The scheduler sets
 * another one when it runs a thread. */
static StgPtr volatile *heap_limit(uint32_t i) {
  CapabilityPublic **all = ALL_CAPABILITIES;
  return (StgPtr volatile *)&all[i]->r.rHpLim;
}

static void describe(uint32_t capability, const StgTSO *thread, char *reason, size_t size) {
  StgTSO copy;
  StgArrBytes label;
  char text[LABEL_MAX + 1] = "";
  if (!ghcdbg_memory_read((uint64_t)(uintptr_t)thread, &copy, sizeof copy)) {
    snprintf(reason, size, "capability %u does not stop", capability);
    return;
  }
  const uint64_t at = (uint64_t)(uintptr_t)copy.label;
  if (at != 0 && ghcdbg_memory_read(at, &label, sizeof label)) {
    const size_t length = label.bytes < LABEL_MAX ? label.bytes : LABEL_MAX;
    if (!ghcdbg_memory_read(at + sizeof label, text, length)) {
      text[0] = 0;
    }
  }
  snprintf(reason, size,
           "Haskell thread %llu%s%s%s on capability %u does not stop: it is in a loop that does "
           "not allocate, or in an unsafe foreign call",
           (unsigned long long)copy.id, text[0] ? " (" : "", text, text[0] ? ")" : "", capability);
}

bool ghcdbg_reach_safe_points(bool (*go_on)(void *user), void *user, char *reason, size_t size) {
  StgTSO *asked[CAPABILITIES_MAX];
  const uint32_t n = number_of_capabilities();
  for (uint32_t i = 0; i < n; i++) {
    asked[i] = running_thread(i);
    if (asked[i] != NULL) {
      *heap_limit(i) = NULL;
    }
  }
  long nap = FIRST_NAP;
  for (uint32_t i = 0; i < n;) {
    if (asked[i] == NULL || running_thread(i) != asked[i] || *heap_limit(i) != NULL) {
      i++;
      continue;
    }
    if (!go_on(user)) {
      ghcdbg_memory_forget();
      describe(i, asked[i], reason, size);
      return false;
    }
    nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
    nap = 2 * nap < LONGEST_NAP ? 2 * nap : LONGEST_NAP;
  }
  return true;
}

uint32_t ghcdbg_capability_number(const void *capability) {
  CapabilityPublic **all = ALL_CAPABILITIES;
  for (uint32_t i = 0; i < number_of_capabilities(); i++) {
    if ((const void *)all[i] == capability) {
      return i;
    }
  }
  return UINT32_MAX;
}
