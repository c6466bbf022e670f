package org.ghcdebug.client.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ghcdebug.client.source.RecordableHeap;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.stub.heap.BuiltClosure;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.Code;

/** A built heap that is recorded whole, what nothing reaches included. */
public final class RecordableStubHeap extends StubHeapSource implements RecordableHeap {
  private final BuiltHeap heap;

  public RecordableStubHeap(BuiltHeap heap) {
    super(heap);
    this.heap = heap;
  }

  @Override
  public int groupCount() {
    return heap.blocks().size();
  }

  @Override
  public AddressList infoAddrs() {
    return AddressList.of(heap.allCode().stream().mapToLong(Code::infoAddr).toArray());
  }

  @Override
  public AddressList costCentreStackAddrs() {
    return AddressList.of();
  }

  @Override
  public AddressList outsideAddrs() {
    return AddressList.of(
        heap.allClosures().stream()
            .map(BuiltClosure::address)
            .mapToLong(address -> address.address())
            .filter(address -> heap.block(address) == null)
            .toArray());
  }

  @Override
  public void codeBitmaps(CodeBitmapSink sink) {
    bitmaps(
        new BitmapSink() {
          @Override
          public void function(FunArguments function, PointerBitmap bitmap) {
            sink.function(
                closures(AddressList.of(function.funAddr())).getFirst()[0],
                function.arguments(),
                bitmap);
          }

          @Override
          public void frame(FrameAddress frame, PointerBitmap bitmap) {
            long infoAddr = heap.block(frame.address()).words(frame.address(), 1)[0];
            boolean byInfo = heap.code(infoAddr).type() == ClosureType.RET_BIG;
            sink.frame(byInfo ? infoAddr : frame.address(), bitmap);
          }
        });
  }

  @Override
  public void bitmaps(BitmapSink sink) {
    List<FunArguments> functions = new ArrayList<>(Snapshots.allFunctions(heap));
    for (FunArguments function : functions) {
      PointerBitmap bitmap = heap.funBitmap(function.funAddr(), function.arguments());
      if (bitmap != null) {
        sink.function(function, bitmap);
      }
    }
    for (long frame : heap.frames().toArray()) {
      PointerBitmap bitmap = heap.stackBitmap(frame);
      if (bitmap != null) {
        sink.frame(new FrameAddress(frame, 0), bitmap);
      }
    }
  }

  @Override
  public Map<String, String> summary() {
    return Map.of("complete", "true");
  }
}
