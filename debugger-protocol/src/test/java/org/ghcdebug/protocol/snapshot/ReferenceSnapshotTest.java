package org.ghcdebug.protocol.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;
import org.junit.jupiter.api.Test;

/** The format's oddities, byte for byte. */
class ReferenceSnapshotTest {
  private static final String ONE_ENTRY = "00000000 0000000000000001";
  private static final String INFO_HEX = "a856420000000000";
  private static final InfoPtr INFO = new InfoPtr(0x4256a8);

  @Test
  void rootsHaveACountAndNoTags() {
    byte[] file = file("00000004 00000004", "0000000000000001 58e34f0042000000");

    assertEntry(file, new Request.Roots(), new Response.Addresses(AddressList.of(0x42004fe358L)));
    assertWritten(file, new Request.Roots(), new Response.Addresses(AddressList.of(0x42004fe35aL)));
  }

  @Test
  void aConstructorsNameIsThreeStringsInWhichUtf8WasTakenForLatin1() {
    // U+03B2 is ce b2 in UTF-8; as Latin-1 characters these are c3 8e c2 b2.
    assertBoth(
        file(
            "0000000c 0000000b" + INFO_HEX,
            "0000000000000004"
                + hex("main")
                + "0000000000000004"
                + hex("Main")
                + "0000000000000003"
                + hex("B")
                + "c38ec2b2"),
        new Request.ConDescr(INFO),
        new Response.Text("main:Main.B\u03b2"));
  }

  @Test
  void aNameWithoutUnitIsTheThirdString() {
    assertBoth(
        file(
            "0000000c 0000000b" + INFO_HEX,
            "0000000000000000 0000000000000000 000000000000000d" + hex("END_TSO_QUEUE")),
        new Request.ConDescr(INFO),
        new Response.Text("END_TSO_QUEUE"));
  }

  @Test
  void anOperatorsDotsBelongToIt() {
    assertBoth(
        file(
            "0000000c 0000000b" + INFO_HEX,
            "0000000000000001"
                + hex("u")
                + "0000000000000003"
                + hex("A.B")
                + "0000000000000003"
                + hex(":.+")),
        new Request.ConDescr(INFO),
        new Response.Text("u:A.B.:.+"));
  }

  @Test
  void aNameThatWasDecodedProperlyIsTakenAsItIs() {
    assertEntry(
        file(
            "0000000c 0000000b" + INFO_HEX,
            "0000000000000001"
                + hex("u")
                + "0000000000000001"
                + hex("M")
                + "0000000000000002"
                + hex("B")
                + "ceb2"),
        new Request.ConDescr(INFO),
        new Response.Text("u:M.B\u03b2"));
  }

  @Test
  void closureTypeZeroIsWrittenAsOne() {
    byte[] file =
        file(
            "0000000c 0000000c" + INFO_HEX,
            "00000006 00000000 00000001 31 00000000 00000000 00000000 00000001 3a");

    assertEntry(
        file, new Request.SourceInfo(INFO), new Response.SourceInfo("", "1", "", "", "", ":"));
    assertWritten(
        file, new Request.SourceInfo(INFO), new Response.SourceInfo("", "0", "", "", "", ":"));
  }

  @Test
  void anSrtIsOptional() {
    var request = new Request.Srt(AddressList.of(INFO.address()));
    String requestHex = "0000000e 00000011 0001" + INFO_HEX;

    assertBoth(file(requestHex, "00"), request, new Response.Addresses(AddressList.of(0)));
    assertBoth(
        file(requestHex, "01 0100000000000000"),
        request,
        new Response.Addresses(AddressList.of(1)));
  }

  @Test
  void isCafIsInverted() {
    String before = "0100000000000000 00000000 00000000 00000000" + "00".repeat(16);

    assertBoth(
        file("0000000c 00000013" + INFO_HEX, before + "0000000000000000 0000000000000000"),
        new Request.CostCentre(INFO.address()),
        new Response.CostCentre(1, "", "", "", 0, 0, true, 0));
    assertBoth(
        file("0000000c 00000013" + INFO_HEX, before + "0100000000000000 0000000000000000"),
        new Request.CostCentre(INFO.address()),
        new Response.CostCentre(1, "", "", "", 0, 0, false, 0));
  }

  @Test
  void backEdgeIsInverted() {
    assertBoth(
        file("0000000c 00000014" + INFO_HEX, "00".repeat(24) + "01"),
        new Request.IndexTable(INFO.address()),
        new Response.IndexTable(0, 0, 0, false));
  }

  @Test
  void allBlocksHaveACountAndOneBlockHasNone() {
    String block = "0100 00e04f0042000000 00000008 0102030405060708";
    var value = Response.Block.of(1, 0x42004fe000L, 0x0807060504030201L);

    assertBoth(
        file("00000004 0000000e", "0000000000000002" + block + block),
        new Request.AllBlocks(),
        new Response.Blocks(List.of(value, value)));
    assertBoth(
        file("0000000c 0000000f" + INFO_HEX, block),
        new Request.Block(INFO.address()),
        new Response.Blocks(List.of(value)));
  }

  @Test
  void anEndlessLengthTakesNoMemory() {
    String huge = "7fffffffffffffff";

    for (byte[] file :
        List.of(
            file("00000004 00000004", huge),
            file("0000000e 00000005 0001" + INFO_HEX, "fffffff8"),
            file("0000000c 0000000b" + INFO_HEX, huge),
            file("0000000c 0000000c" + INFO_HEX, "00000006 ffffffff"),
            file("00000004 0000000e", huge))) {
      assertThrows(MalformedDataException.class, () -> SnapshotFiles.readAll(file));
    }
  }

  @Test
  void bytesAfterTheLastEntryAreMalformed() {
    byte[] file = file("00000004 00000015", "0000000000000000 00");

    var e = assertThrows(MalformedDataException.class, () -> SnapshotFiles.readAll(file));

    assertEquals(28, e.offsetBytes());
  }

  @Test
  void requestsThatAreNeverRecordedAreNotWritten() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            SnapshotFiles.write(
                List.of(new RecordedEntry(new Request.Resume(), new Response.Done()))));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            SnapshotFiles.write(
                List.of(
                    new RecordedEntry(
                        new Request.Srt(AddressList.of(1, 2)),
                        new Response.Addresses(AddressList.of(3, 4))))));
  }

  @Test
  void aSnapshotIsRecognizedByItsFirstBytes() {
    byte[] file = file("00000004 00000001", "0000038a 00000006 00 01");

    assertTrue(looksLike(file));
    assertFalse(looksLike(new byte[64]));
    assertFalse(looksLike(new byte[3]));
    assertFalse(looksLike(file("00000004 00000002", "00")));
    assertFalse(looksLike(file("00000008 00000001", "00000000")));
  }

  private static boolean looksLike(byte[] file) {
    return ReferenceSnapshotReader.looksLikeReferenceSnapshot(ByteBuffer.wrap(file));
  }

  private static void assertBoth(byte[] file, Request request, Response response) {
    assertEntry(file, request, response);
    assertWritten(file, request, response);
  }

  private static void assertEntry(byte[] file, Request request, Response response) {
    assertEquals(List.of(new RecordedEntry(request, response)), SnapshotFiles.readAll(file));
  }

  private static void assertWritten(byte[] file, Request request, Response response) {
    assertEquals(
        HexFormat.of().formatHex(file),
        HexFormat.of()
            .formatHex(SnapshotFiles.write(List.of(new RecordedEntry(request, response)))));
  }

  private static byte[] file(String requestHex, String valueHex) {
    return HexFormat.of().parseHex((ONE_ENTRY + requestHex + valueHex).replace(" ", ""));
  }

  private static String hex(String ascii) {
    return HexFormat.of().formatHex(ascii.getBytes(StandardCharsets.US_ASCII));
  }
}
