package org.ghcdebug.client.debuggee;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.RecordableHeap;
import org.ghcdebug.client.source.Recorded;
import org.ghcdebug.client.source.snapshot.ReferenceSnapshotSource;
import org.ghcdebug.client.source.snapshot.SnapshotSource;
import org.ghcdebug.client.source.snapshot.SnapshotWriter;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.IoReason;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.extension.RtsFigure;
import org.ghcdebug.protocol.extension.RtsFigures;
import org.ghcdebug.protocol.snapshot.Chunk;
import org.ghcdebug.protocol.target.Target;

/**
 * What a snapshot file says about itself.
 *
 * @param path where it is
 * @param format {@code ghc-debug} for ours, {@code haskell} for that of the reference client
 * @param target the program's GHC and way
 * @param metadata what was recorded, by key
 * @param summary what of it is complete, by key
 * @param fileBytes the file's size
 * @param blockBytes the size of the blocks in it
 * @param contents its chunks by kind; empty for the reference client's format
 * @param warnings what is missing, as far as opening it shows
 */
public record SnapshotFile(
    Path path,
    String format,
    Target target,
    Map<String, String> metadata,
    Map<String, String> summary,
    long fileBytes,
    long blockBytes,
    List<Contents> contents,
    List<String> warnings) {
  /** Of the keys of RTS figures in metadata. */
  static final String RTS_PREFIX = "rts.";

  /** Key in the metadata of those without contents. */
  static final String REDACTED = "redacted";

  private static final int FIRST_BYTES = 64;

  /** Metadata in which nothing of a program's data can be, besides RTS figures. */
  private static final Set<String> KEPT_METADATA = Set.of("program", "takenAt", "writer");

  public SnapshotFile {
    metadata = Map.copyOf(metadata);
    summary = Map.copyOf(summary);
    contents = List.copyOf(contents);
    warnings = List.copyOf(warnings);
  }

  /**
   * The chunks of a kind.
   *
   * @param kind its name, or {@code kind N} when it is not known
   * @param chunks how many there are
   * @param bytes their payloads
   * @param storedBytes the same as stored
   */
  public record Contents(String kind, long chunks, long bytes, long storedBytes) {}

  /**
   * Something wrong with a file.
   *
   * @param offsetBytes where in the file
   * @param problem what was found and expected there
   * @param lostBytes how much cannot be read because of it; 0 when that is not known
   */
  public record Damage(long offsetBytes, String problem, long lostBytes) {}

  /**
   * What was found.
   *
   * @param chunks how many chunks were checked; 0 for the reference client's format, which has none
   * @param bytes their payloads
   * @param damages in the order of the file, but what is wrong with its end comes first
   */
  public record Verification(long chunks, long bytes, List<Damage> damages) {
    public Verification {
      damages = List.copyOf(damages);
    }
  }

  /**
   * A copy without contents.
   *
   * @param result what was written
   * @param warnings what could not be read of the original
   */
  public record Redaction(SnapshotResult result, List<String> warnings) {
    public Redaction {
      warnings = List.copyOf(warnings);
    }
  }

  /** Opens a snapshot; its format is told by its first bytes. */
  static HeapSource open(Path path) {
    ByteBuffer firstBytes = firstBytes(path);
    if (SnapshotSource.recognizes(firstBytes)) {
      return SnapshotSource.open(path);
    }
    boolean isCompressed = firstBytes.remaining() >= 2 && firstBytes.getShort(0) == (short) 0x1f8b;
    if (isCompressed || ReferenceSnapshotSource.recognizes(firstBytes)) {
      return ReferenceSnapshotSource.open(path);
    }
    throw new MalformedDataException(
        path.toString(),
        0,
        "%s, expected a snapshot of ghc-debug (89 47 48 44 53) or of the Haskell client (00 00 00 00); %s"
            .formatted(
                describe(firstBytes),
                beginsWith(firstBytes, "hdrb")
                    ? "read it with ghc-debug eventlog"
                    : "give a socket or a file written by ghc-debug snapshot"));
  }

  private static ByteBuffer firstBytes(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      return ByteBuffer.wrap(in.readNBytes(FIRST_BYTES));
    } catch (IOException e) {
      throw new SourceUnavailableException(path.toString(), "cannot be read: " + IoReason.of(e), e);
    }
  }

  private static String describe(ByteBuffer firstBytes) {
    if (!firstBytes.hasRemaining()) {
      return "an empty file";
    }
    if (beginsWith(firstBytes, "hdrb")) {
      return "an eventlog";
    }
    if (beginsWith(firstBytes, "\u007fELF")) {
      return "a program or core dump (ELF)";
    }
    int shown = Math.min(8, firstBytes.remaining());
    return "a file that begins with "
        + HexFormat.ofDelimiter(" ").formatHex(firstBytes.array(), 0, shown);
  }

  private static boolean beginsWith(ByteBuffer bytes, String magic) {
    return bytes.remaining() >= magic.length()
        && new String(bytes.array(), 0, magic.length(), StandardCharsets.ISO_8859_1).equals(magic);
  }

  /**
   * Reads what a file says about itself. Costs what opening does.
   *
   * @throws MalformedDataException when it is no snapshot
   * @throws SourceUnavailableException when it cannot be read
   */
  public static SnapshotFile read(Path path) {
    try (HeapSource source = open(path)) {
      long fileBytes = sizeBytes(path);
      return switch (source) {
        case SnapshotSource ours ->
            new SnapshotFile(
                path,
                "ghc-debug",
                ours.target(),
                ours.metadata(),
                ours.summary(),
                fileBytes,
                ours.blockBytes(),
                contents(ours.file().chunks()),
                ours.warnings());
        case ReferenceSnapshotSource reference ->
            new SnapshotFile(
                path,
                "haskell",
                reference.target(),
                Map.of(),
                Map.of(),
                fileBytes,
                reference.blockBytes(),
                List.of(),
                reference.warnings());
        default -> throw new AssertionError(source);
      };
    }
  }

  private static long sizeBytes(Path path) {
    try {
      return Files.size(path);
    } catch (IOException e) {
      throw new SourceUnavailableException(
          path.toString(), "cannot be read: " + e.getMessage() + "; was it moved?", e);
    }
  }

  private static List<Contents> contents(List<Chunk> chunks) {
    Map<Integer, Contents> byKind = new TreeMap<>();
    for (Chunk chunk : chunks) {
      byKind.merge(
          chunk.kindNumber(),
          new Contents(name(chunk), 1, chunk.rawBytes(), chunk.storedBytes()),
          (a, b) ->
              new Contents(
                  a.kind(),
                  a.chunks() + b.chunks(),
                  a.bytes() + b.bytes(),
                  a.storedBytes() + b.storedBytes()));
    }
    return List.copyOf(byKind.values());
  }

  private static String name(Chunk chunk) {
    return chunk
        .kind()
        .map(kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', ' '))
        .orElse("kind " + chunk.kindNumber());
  }

  /**
   * Reads and checks every byte. Of the reference client's format, which has no checksums, it
   * checks that it parses.
   *
   * @throws MalformedDataException when it is no snapshot, or damaged where it says which GHC it is
   *     of
   * @throws SourceUnavailableException when it cannot be read
   */
  public static Verification verify(Path path) {
    List<Damage> damages = new ArrayList<>();
    try (HeapSource source = open(path)) {
      List<Chunk> chunks = List.of();
      if (source instanceof SnapshotSource ours) {
        chunks = ours.file().chunks();
        ours.file().findDamage().ifPresent(damage -> damages.add(damage(damage, 0)));
        ours.file().verify((chunk, damage) -> damages.add(damage(damage, chunk.rawBytes())));
      } else if (source instanceof ReferenceSnapshotSource reference) {
        reference.findDamage().ifPresent(damage -> damages.add(damage(damage, 0)));
      }
      return new Verification(
          chunks.size(), chunks.stream().mapToLong(Chunk::rawBytes).sum(), damages);
    }
  }

  /**
   * Writes a copy without contents: sizes and references of all that is reachable stay, what
   * closures hold else is blank, and so is what is not reachable. One static closure stands for all
   * characters, and one for all small numbers. Costs what reading and marking the heap costs.
   *
   * @param out replaced if it is there
   * @return what was written, and what was missing from the original
   * @throws IllegalArgumentException when it is the file itself
   * @throws MalformedDataException when it is no snapshot
   * @throws SourceUnavailableException when it cannot be read, or the copy not be written
   */
  public static Redaction redact(Path path, Path out, Work work) {
    if (path.toAbsolutePath().normalize().equals(out.toAbsolutePath().normalize())) {
      throw new IllegalArgumentException(out + " is the snapshot itself; give another file");
    }
    try (HeapSource source = open(path);
        HeapCopy copy = HeapCopy.take(source, work)) {
      Map<String, String> metadata = new TreeMap<>();
      metadata.put(REDACTED, "true");
      if (source instanceof Recorded recorded) {
        recorded
            .metadata()
            .forEach(
                (key, value) -> {
                  if (KEPT_METADATA.contains(key) || key.startsWith(RTS_PREFIX)) {
                    metadata.put(key, value);
                  }
                });
      }
      RecordableHeap redacted = copy.redacted(work);
      SnapshotWriter.write(redacted, out, metadata, work);
      return new Redaction(
          new SnapshotResult(
              out,
              sizeBytes(out),
              copy.image().sizeBytes(),
              Long.parseLong(redacted.summary().get("reachable.closures")),
              Long.parseLong(redacted.summary().get("reachable.bytes")),
              copy.tally().missing()),
          source instanceof Recorded recorded ? recorded.warnings() : List.of());
    }
  }

  private static Damage damage(MalformedDataException damage, long lostBytes) {
    return new Damage(damage.offsetBytes(), String.valueOf(damage.getMessage()), lostBytes);
  }

  /** The RTS figures in a snapshot's metadata. */
  static RtsFigures figures(Map<String, String> metadata) {
    Map<RtsFigure, Long> values = new EnumMap<>(RtsFigure.class);
    metadata.forEach(
        (key, value) -> {
          if (key.startsWith(RTS_PREFIX) && value.matches("[0-9]{1,18}")) {
            RtsFigure.findByKey(key.substring(RTS_PREFIX.length()))
                .ifPresent(figure -> values.put(figure, Long.valueOf(value)));
          }
        });
    return new RtsFigures(values);
  }
}
