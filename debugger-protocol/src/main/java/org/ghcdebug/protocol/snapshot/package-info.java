/**
 * Recorded heaps: our own snapshot file, and that of the reference Haskell client. Both are read
 * and written on channels and segments that are given; nothing here opens files or starts threads.
 *
 * <h2>Snapshot files</h2>
 *
 * <p>Little-endian throughout. What each chunk holds is in {@code docs/snapshot-format.md}, which
 * is the specification.
 *
 * <pre>
 * file        header, chunks, directory chunks, trailer
 * header      32 bytes
 *              0  u64  magic 89 47 48 44 53 0d 0a 1a
 *              8  u16  format version, 1
 *             10       18 zero bytes
 *             28  u32  CRC32C of bytes 0 to 27
 * chunk       header, descriptor, payload
 *              0  u32  magic "CHNK"
 *              4  u16  kind, see {@link org.ghcdebug.protocol.snapshot.ChunkKind}
 *              6  u8   codec: 0 raw, 1 deflate, 2 zstd
 *              7  u8   1: who does not know the kind must not go on; else 0
 *              8  u32  descriptor's length, a multiple of 16
 *             12  u32  payload's length in the file
 *             16  u32  payload's length when it is not compressed, at most 16 MiB
 *             20  u32  number of the chunk in the file, from 0
 *             24  u32  CRC32C of descriptor and payload as they stand in the file
 *             28  u32  CRC32C of bytes 0 to 27
 *             32       descriptor: extents, for memory; see {@link
 *                      org.ghcdebug.protocol.snapshot.Extent}
 *                      payload
 * directory   chunks whose payloads are the headers and descriptors of the chunks before
 * trailer     32 bytes
 *              0  u64  magic 47 48 44 53 45 4e 44 0a
 *              8  u64  offset of the first directory chunk
 *             16  u32  number of chunks before it
 *             20       8 zero bytes
 *             28  u32  CRC32C of bytes 0 to 27
 * </pre>
 *
 * <p>Every byte is covered by a checksum, and every chunk can be found without the directory.
 * {@link org.ghcdebug.protocol.snapshot.ChunkWriter} writes chunks, {@link
 * org.ghcdebug.protocol.snapshot.ChunkFile} finds and reads them, {@link
 * org.ghcdebug.protocol.snapshot.TableWriter} and {@link
 * org.ghcdebug.protocol.snapshot.TableReader} translate those that hold tables.
 *
 * <h2>Snapshots of the reference client</h2>
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
