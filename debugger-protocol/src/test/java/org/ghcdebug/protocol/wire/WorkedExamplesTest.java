package org.ghcdebug.protocol.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.junit.jupiter.api.Test;

/** Bytes from real exchanges with stub 0.7, mostly of a program built by GHC 9.6.6. */
class WorkedExamplesTest {
  private static final long INFO_ADDR = 0x4256a8;
  private static final InfoPtr INFO = new InfoPtr(INFO_ADDR);

  @Test
  void versionIsSeriesPatchLevelModeAndTablesNextToCode() {
    exchange(
        new Request.Version(),
        "00000004 00000001",
        "0000000a 0000 0000038a 00000006 00 01",
        new Response.Version(new GhcVersion(906, 6), ProfilingMode.VANILLA, true, 10));
    exchange(
        new Request.Version(),
        "00000004 00000001",
        "0000000a 0000 0000038e 00000003 00 01",
        new Response.Version(new GhcVersion(910, 3), ProfilingMode.VANILLA, true, 10));
    exchange(
        new Request.Version(),
        "00000004 00000001",
        "0000000a 0000 0000038a 00000006 03 01",
        new Response.Version(new GhcVersion(906, 6), ProfilingMode.BIOGRAPHY, true, 10));
  }

  @Test
  void versionOfAnOlderStubIsShorter() {
    exchange(
        new Request.Version(),
        "00000004 00000001",
        "00000004 0000 00000000",
        new Response.Version(new GhcVersion(902, 0), ProfilingMode.VANILLA, true, 4));
    exchange(
        new Request.Version(),
        "00000004 00000001",
        "00000008 0000 00000388 00000008",
        new Response.Version(new GhcVersion(904, 8), ProfilingMode.VANILLA, true, 8));
  }

  @Test
  void requestsInTheWrongStateAreRefused() {
    exchange(
        new Request.Roots(),
        "00000004 00000004",
        "00000000 0102",
        new Response.Refused(Status.NOT_PAUSED));
    exchange(
        new Request.Resume(),
        "00000004 00000003",
        "00000000 0102",
        new Response.Refused(Status.NOT_PAUSED));
    exchange(
        new Request.Pause(),
        "00000005 00000002 00",
        "00000000 0101",
        new Response.Refused(Status.ALREADY_PAUSED));
    exchange(
        new Request.CcsMain(),
        "00000004 00000015",
        "00000000 0100",
        new Response.Refused(Status.BAD_COMMAND));
  }

  @Test
  void pauseIsAnsweredByAnEmptyFrame() {
    exchange(new Request.Pause(), "00000005 00000002 00", "00000000 0000", new Response.Done());
  }

  @Test
  void savedObjectsAreLittleEndian() {
    exchange(
        new Request.SavedObjects(),
        "00000004 00000009",
        "00000028 0000 58e34f0042000000 70e34f0042000000 98e34f0042000000"
            + "c8e34f0042000000 e0e34f0042000000",
        new Response.Addresses(
            AddressList.of(
                0x42004fe358L, 0x42004fe370L, 0x42004fe398L, 0x42004fe3c8L, 0x42004fe3e0L)));
  }

  @Test
  void aClosureIsALengthAndItsWords() {
    exchange(
        new Request.Closures(AddressList.of(0x42004fe371L)),
        "0000000e 00000005 0001 71e34f0042000000",
        "0000002c 0000 00000028 a856420000000000 289a3e0100000000 c05d000000000000"
            + "0000000000000440 07000000fdffffff",
        Response.MemoryChunks.of(
            List.of(
                new long[] {
                  INFO_ADDR, 0x13e9a28, 24_000, Double.doubleToLongBits(2.5), -3L << 32 | 7
                })));
  }

  @Test
  void anInfoTableIsALengthAndItsWords() {
    exchange(
        new Request.InfoTables(AddressList.of(INFO_ADDR)),
        "0000000e 00000006 0001 a856420000000000",
        "00000014 0000 00000010 0100000003000000 0100000000000000",
        Response.MemoryChunks.of(List.of(new long[] {3L << 32 | 1, 1})));
  }

  @Test
  void aConstructorsDescriptionIsOneText() {
    exchange(
        new Request.ConDescr(INFO),
        "0000000c 0000000b a856420000000000",
        "00000011 0000 0000000d" + hex("main:Main.Rec"),
        new Response.Text("main:Main.Rec"));
  }

  @Test
  void sourceInformationIsSixTextsOrNone() {
    exchange(
        new Request.SourceInfo(INFO),
        "0000000c 0000000c a856420000000000",
        "0000004e 0000 00000006 00000013"
            + hex("Rec_Main_1_con_info")
            + "00000001"
            + hex("1")
            + "00000003"
            + hex("Rec")
            + "00000008"
            + hex("main.key")
            + "00000004"
            + hex("Main")
            + "0000000f"
            + hex("Zoo.hs:90:15-38"),
        new Response.SourceInfo(
            "Rec_Main_1_con_info", "1", "Rec", "main.key", "Main", "Zoo.hs:90:15-38"));
    exchange(
        new Request.SourceInfo(INFO),
        "0000000c 0000000c a856420000000000",
        "00000004 0000 00000000",
        new Response.NoSourceInfo());
  }

  @Test
  void anInfoTableWithoutSrtHasANullOne() {
    exchange(
        new Request.Srt(AddressList.of(INFO_ADDR)),
        "0000000e 00000011 0001 a856420000000000",
        "00000008 0000 0000000000000000",
        new Response.Addresses(AddressList.of(0)));
  }

  @Test
  void aBlockMayComeInThreeFrames() {
    exchange(
        new Request.Block(0x42004fe358L),
        "0000000c 0000000f 58e34f0042000000",
        "0000000e 0001 0100 00e04f0042000000 00001000"
            + "00001000 0001"
            + "0102030405060708".repeat(512)
            + "00000000 0000",
        new Response.Blocks(
            List.of(Response.Block.of(1, 0x42004fe000L, filled(512, 0x0807060504030201L)))));
  }

  @Test
  void bitmapsHaveAByteForEveryWord() {
    exchange(
        new Request.StackBitmap(0x42004fd740L, 0x18),
        "00000010 00000007 40d74f0042000000 00000018",
        "00000005 0000 00000001 01",
        bitmap("1"));
    exchange(
        new Request.StackBitmap(0x42004fd740L, 0x18),
        "00000010 00000007 40d74f0042000000 00000018",
        "00000007 0000 00000003 000001",
        bitmap("001"));
    exchange(
        new Request.FunBitmap(0x13edb9c, 2),
        "0000000e 00000010 9cdb3e0100000000 0002",
        "00000006 0000 00000002 0101",
        bitmap("11"));
  }

  @Test
  void aCostCentresNumbersAreLittleEndianAndItsLengthsBigEndian() {
    exchange(
        new Request.CostCentre(0x220d690),
        "0000000c 00000013 90d6200200000000",
        "00000046 0000 5301000000000000 00000004"
            + hex("MAIN")
            + "00000004"
            + hex("MAIN")
            + "0000000a"
            + hex("<built-in>")
            + "00".repeat(24)
            + "30d6200200000000",
        new Response.CostCentre(0x153, "MAIN", "MAIN", "<built-in>", 0, 0, false, 0x220d630));
  }

  @Test
  void aTruncatedRequestIsInvalid() {
    assertEquals(
        new RequestDecoder.Received.Invalid(
            "request, byte 4: end of the payload, expected 1 more bytes"),
        new RequestDecoder().decode(bytes("00000004 00000002")));
  }

  private static void exchange(
      Request request, String requestHex, String responseHex, Response response) {
    ByteBuf out = Unpooled.buffer();
    RequestEncoder.encode(request, out);
    assertEquals(plain(requestHex), ByteBufUtil.hexDump(out));
    assertEquals(new RequestDecoder.Received.Valid(request), new RequestDecoder().decode(out));

    ByteBuf in = bytes(responseHex);
    var frames = new FrameDecoder("example");
    var payload = new PayloadBuffer("example");
    while (in.readableBytes() > 1) {
      assertNull(frames.decode(in.readSlice(1), payload));
    }
    Status status = Objects.requireNonNull(frames.decode(in, payload));
    byte[] payloadBytes = ByteBufUtil.getBytes(payload.bytes());
    assertEquals(response, ResponseDecoder.decode(request, status, payload.bytes()));

    if (!(response instanceof Response.Refused)) {
      ByteBuf encoded = Unpooled.buffer();
      ResponseEncoder.encodePayload(response, encoded::writeBytes);
      assertEquals(HexFormat.of().formatHex(payloadBytes), ByteBufUtil.hexDump(encoded));
    }
  }

  private static Response bitmap(String bits) {
    var pointers = new BitSet();
    for (int i = 0; i < bits.length(); i++) {
      pointers.set(i, bits.charAt(i) == '1');
    }
    return new Response.Bitmap(bits.length(), pointers);
  }

  private static long[] filled(int size, long word) {
    long[] words = new long[size];
    Arrays.fill(words, word);
    return words;
  }

  private static ByteBuf bytes(String hex) {
    return Unpooled.wrappedBuffer(HexFormat.of().parseHex(plain(hex)));
  }

  private static String plain(String hex) {
    return hex.replace(" ", "");
  }

  private static String hex(String ascii) {
    return HexFormat.of().formatHex(ascii.getBytes(StandardCharsets.US_ASCII));
  }
}
