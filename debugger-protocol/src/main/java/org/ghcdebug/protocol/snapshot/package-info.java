/**
 * Recorded heaps: the snapshot file of the reference Haskell client, read and written on channels
 * that are given. It opens no files, and memory does not grow with the heap when reading.
 *
 * <pre>
 * file     u32 0, the format's version
 *          u64 N
 *          N entries, in any order
 * entry    a request's frame as on the wire: u32 length, u32 command, payload;
 *          CLOSURES, INFO_TABLES and SRT have one address each; PAUSE, RESUME and POLL do not occur
 *          the response's value, which depends on the command:
 *
 * VERSION                    as on the wire, 10 bytes
 * ROOTS, SAVED_OBJECTS       u64 n, n pointers, all untagged
 * CLOSURES, INFO_TABLES      u32 length, bytes
 * STACK_BITMAP, FUN_BITMAP   u32 n, n bytes
 * CON_DESCR                  three strings: unit, module, constructor; or two empty ones and the whole
 * SOURCE_INFO                as on the wire, but closure type 0 became 1
 * ALL_BLOCKS                 u64 n, n blocks as on the wire
 * BLOCK                      one block as on the wire
 * SRT                        u8 0 for none; or u8 1 and a pointer
 * CCS, CCS_MAIN              as on the wire
 * CC                         as on the wire, but is_caf is 0 for a CAF and not 0 for others
 * INDEX_TABLE                as on the wire, but back_edge is inverted
 * string                     u64 number of characters, each in UTF-8
 * </pre>
 *
 * <p>Numbers are big-endian except where the wire's are not; pointers are little-endian. The format
 * is that of Haskell's {@code binary} package, hence two oddities. A string's length counts
 * characters. And constructor names were taken off the wire as Latin-1, so that each byte of their
 * UTF-8 is a character of its own, in UTF-8 again.
 *
 * <p>There is neither compression nor a checksum. A snapshot holds what the reference client's
 * traversal visited, so a reader must accept that things are missing.
 *
 * <pre>{@code
 * var reader = new ReferenceSnapshotReader(path.toString(), channel);
 * while (reader.readNext(sink)) {}
 * }</pre>
 */
@NullMarked
package org.ghcdebug.protocol.snapshot;

import org.jspecify.annotations.NullMarked;
