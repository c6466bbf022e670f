/*
 * The start without a changed line of Haskell. A program that is linked with
 * -optl-Wl,--wrap=hs_main enters here instead of the RTS's hs_main, and does
 * the same with public functions of the RTS. The server runs only if the
 * environment asks for it.
 */
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "ghc_debuggee.h"
#include "rts.h"
#include "server.h"

static void (*next_exit_hook)(void);

/* No pause may begin once the RTS has begun to end: both would wait for each
 * other. */
static void stop_at_exit(void) {
  ghcdbg_server_stop();
  if (next_exit_hook != NULL) {
    next_exit_hook();
  }
}

static int exit_status(SchedulerStatus status) {
  switch (status) {
    case Success:
      return EXIT_SUCCESS;
    case Killed:
      errorBelch("main thread exited (uncaught exception)");
      return EXIT_KILLED;
    case Interrupted:
      errorBelch("interrupted");
      return EXIT_INTERRUPTED;
    case HeapExhausted:
      return EXIT_HEAPOVERFLOW;
    default:
      barf("main thread completed with an unknown status");
  }
}

static bool is_set(const char *variable) {
  const char *value = getenv(variable);
  return value != NULL && value[0] != 0;
}

GHC_DEBUGGEE_API int __wrap_hs_main(int argc, char *argv[], StgClosure *main_closure,
                                    RtsConfig config) {
  const char *path = getenv("GHC_DEBUG_SOCKET");
  const bool wanted = is_set("GHC_DEBUG_SOCKET") || is_set("GHC_DEBUG_TCP") ||
                      is_set("GHC_DEBUG_SNAPSHOT");
  char *kept = is_set("GHC_DEBUG_SOCKET") ? strdup(path) : NULL;
  if (wanted) {
    next_exit_hook = config.onExitHook;
    config.onExitHook = stop_at_exit;
    ghcdbg_figures_note_collections(&config);
    unsetenv("GHC_DEBUG_SOCKET"); /* children of the program are not to take it over */
  }
  hs_init_ghc(&argc, &argv, config);
  if (wanted) {
    ghcdbg_server_start_by_environment(kept);
  }
  free(kept);
  Capability *capability = rts_lock();
  rts_evalLazyIO(&capability, main_closure, NULL);
  const SchedulerStatus status = rts_getSchedStatus(capability);
  rts_unlock(capability);
  shutdownHaskellAndExit(exit_status(status), 0 /* not fast */);
}
