package org.ghcdebug.client.index;

import org.ghcdebug.client.source.HeapSource.FrameAddress;
import org.ghcdebug.client.source.HeapSource.FunArguments;
import org.ghcdebug.client.source.RecordableHeap.BitmapSink;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.FrameList;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.Slots;
import org.ghcdebug.protocol.closure.StackFrame;
import org.ghcdebug.protocol.decode.ClosureDecoder;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.ClosurePtr;
import org.ghcdebug.protocol.target.Target;

/** Finds the bitmap of every frame and application among the closures of a copy. */
final class BitmapCollector {
  private final HeapCopy copy;
  private final Marker marker;
  private final ClosureDecoder decoder;
  private final BitmapSink sink;
  private boolean isComplete; // nothing was unresolved

  BitmapCollector(HeapCopy copy, Marker marker, ClosureDecoder decoder, BitmapSink sink) {
    this.copy = copy;
    this.marker = marker;
    this.decoder = decoder;
    this.sink = sink;
  }

  /** Looks at a closure, if it is of a kind that has bitmaps. */
  void closure(long addr) {
    InfoTable info = marker.infoTable(marker.infoAddrAt(addr));
    if (info == null) {
      return;
    }
    switch (info.type()) {
      case PAP, AP, AP_STACK, STACK, CONTINUATION -> {
        long[] words = copy.closures(AddressList.of(addr)).getFirst();
        if (words != null) {
          isComplete = true;
          Closure closure =
              decoder.decode(
                  new ClosurePtr(addr),
                  info,
                  ClosureWords.of(words),
                  marker,
                  unresolved -> isComplete = false);
          if (isComplete) { // else a bitmap can be a guess
            collect(closure);
          }
        }
      }
      default -> {} // Whatever it is, it contains neither frames nor arguments.
    }
  }

  private void collect(Closure closure) {
    switch (closure) {
      case Closure.Pap pap -> function(pap.fun(), pap.arguments());
      case Closure.Ap ap -> function(ap.fun(), ap.arguments());
      case Closure.ApStack stack -> frames(stack.address().address(), stack.frames());
      case Closure.Stack stack -> frames(stack.address().address(), stack.frames());
      case Closure.Continuation stack -> frames(stack.address().address(), stack.frames());
      default -> {} // Not understood.
    }
  }

  private void function(long fun, Slots arguments) {
    long funAddr = Target.untag(fun);
    if (!marker.isByteCode(funAddr)) {
      sink.function(new FunArguments(funAddr, arguments.pointers().size()), arguments.pointers());
    }
  }

  private void frames(long closureAddr, FrameList list) {
    if (list.frames().isEmpty()) {
      return;
    }
    int first = list.frames().getFirst().wordIndex();
    for (StackFrame frame : list.frames()) {
      if (frame instanceof StackFrame.Bco) {
        continue;
      }
      if (frame instanceof StackFrame.Fun(var _, long fun, Slots slots)) {
        function(fun, slots);
      }
      sink.frame(
          new FrameAddress(
              closureAddr + 8L * first, Math.multiplyExact(8, frame.wordIndex() - first)),
          frame.slots().pointers());
    }
  }
}
