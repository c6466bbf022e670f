/*
 * ghc-debuggee: lets a heap debugger look into this Haskell program.
 *
 * The functions below are what the module GHC.Debuggee calls; C code of a
 * program may call them too. All are thread safe. They must be called
 * through *safe* foreign imports: `ghc_debuggee_stop` and
 * `ghc_debuggee_pause` block, and the Haskell world must be able to stop
 * meanwhile.
 *
 * Since 0.1.
 */
#ifndef GHC_DEBUGGEE_H
#define GHC_DEBUGGEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GHC_DEBUGGEE_API __attribute__((visibility("default")))

/*
 * Serves the debugging protocol on a Unix socket at `path` (copied) until
 * `ghc_debuggee_stop`. A socket at that path to which nobody listens is replaced;
 * any other file is left alone. Returns false, after one line of warning on stderr,
 * if that is impossible or a server already runs; the program is then not
 * affected in any way. Where the environment had a server started before the
 * program's main (see the README), this and `ghc_debuggee_stop` do nothing.
 *
 * GHC_DEBUG_TCP=HOST:PORT in the environment adds TCP.
 */
GHC_DEBUGGEE_API bool ghc_debuggee_start(const char *path);

/*
 * The same over TCP, on a numeric address of IPv4 or IPv6, or "localhost" for
 * both loopback addresses. Every client must know the token that was in the
 * environment variable GHC_DEBUG_TOKEN; without one nothing is started.
 */
GHC_DEBUGGEE_API bool ghc_debuggee_start_tcp(const char *host, unsigned port);

/*
 * Ends the server, removes its socket and drops the saved closures. While a
 * client holds the program paused, this waits for the resume. After it no
 * pause can begin any more, so that the program may end: a pause that races
 * with the end of the RTS would hang the process.
 */
GHC_DEBUGGEE_API void ghc_debuggee_stop(void);

/*
 * Pauses the program and returns after a client has resumed it (or the one
 * that attended to the pause has vanished). Returns false at once if no
 * server runs.
 */
GHC_DEBUGGEE_API bool ghc_debuggee_pause(void);

/*
 * Ends a pause, whoever asked for it, and withdraws requests for a pause
 * not yet in force. For foreign threads: no Haskell code runs in a paused
 * program.
 */
GHC_DEBUGGEE_API void ghc_debuggee_resume(void);

/*
 * Replaces the list of closures that a client finds by SAVED_OBJECTS. Takes
 * ownership of the `count` stable pointers (not of the array) and frees
 * those of the former list.
 */
GHC_DEBUGGEE_API void ghc_debuggee_save(size_t count, void *const *stable_pointers);

/* The same with a name for each, which is copied; NULL for none. */
GHC_DEBUGGEE_API void ghc_debuggee_save_named(size_t count, void *const *stable_pointers,
                                              const char *const *names);

/*
 * Writes a snapshot of the heap to `path`, which every command of the debugger
 * takes as its target. The program stands still for that long. False, after
 * one line of warning, if that failed or no server runs.
 */
GHC_DEBUGGEE_API bool ghc_debuggee_snapshot(const char *path);

/*
 * Has one written when at least so many bytes are alive (0 = never; once, but if
 * it could not be written it is tried again half a minute later), and
 * whenever `signal` is received (0 = none; the program must not handle it
 * itself). %p in the path stands for the process id, %n for the snapshot's
 * number. Replaces what was asked for before; works while a server runs.
 */
GHC_DEBUGGEE_API void ghc_debuggee_snapshot_when(uint64_t live_bytes, int signal,
                                                 const char *path);

/*
 * Starts the RTS's eventlog, which goes to a file (written anew once the log has
 * begun), to a FIFO that has a reader, or to a descriptor (duplicated), until
 * `ghc_debuggee_log_stop` or the end of the server, which waits for a slow reader
 * for two seconds at most. Classes of events, switched on for as long as it lasts:
 * bits 0 scheduler, 1 garbage collector, 2 non-moving collector, 3 sparks sampled,
 * 4 every spark, 5 user's, 6 capabilities. What a slow reader leaves no room for
 * (16 MiB) is dropped, blocks of the log at a time; a reader that takes nothing
 * for ten seconds ends the log.
 *
 * All of these work while a server runs; they return false, after one line on
 * stderr, where something is impossible, as in a paused program.
 */
GHC_DEBUGGEE_API bool ghc_debuggee_log_to_file(const char *path, uint32_t classes);
GHC_DEBUGGEE_API bool ghc_debuggee_log_to_descriptor(int descriptor, uint32_t classes);

/* Ends the eventlog, whoever began it. A file is complete then. */
GHC_DEBUGGEE_API bool ghc_debuggee_log_stop(void);

/* Has the RTS hand out what it has gathered; while a log lasts, this happens twice
 * a second by itself. */
GHC_DEBUGGEE_API bool ghc_debuggee_log_flush(void);

/* Switches classes of events on, then off. False where the RTS is a shared
 * library, which hides the switches. */
GHC_DEBUGGEE_API bool ghc_debuggee_log_classes(uint32_t on, uint32_t off);

/*
 * Stops (0) or starts (1) the heap profile's regular censuses, or takes one (2),
 * with a major collection. Only in a program that was started with a kind of heap
 * profile, such as +RTS -hT --no-automatic-heap-samples.
 */
GHC_DEBUGGEE_API bool ghc_debuggee_heap_profile(unsigned what);

#ifdef __cplusplus
}
#endif

#endif
