package org.ghcdebug.client.analysis.census;

import java.util.Locale;
import java.util.Optional;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.SourceInfo;

/**
 * By what a census groups. What a closure lacks for its key (a function has no constructor, code
 * compiled without {@code -finfo-table-map} no source) is grouped by closure type, in angle
 * brackets, so that every census adds up to the same totals.
 */
public enum CensusKey {
  /** The RTS's closure type: {@code CONSTR_2_0}, {@code THUNK}. */
  TYPE {
    @Override
    Optional<String> find(InfoTable info, Heap heap) {
      return Optional.of(info.type().name());
    }
  },
  /** Qualified constructor name: {@code Data.Map.Internal.Bin}. */
  CONSTRUCTOR {
    @Override
    Optional<String> find(InfoTable info, Heap heap) {
      return heap.findConstructorName(info).map(ConstructorName::qualifiedName);
    }
  },
  /** Constructor, or the enclosing binding of a function or thunk, with its source location. */
  CLOSURE {
    @Override
    Optional<String> find(InfoTable info, Heap heap) {
      Optional<String> constructor = CONSTRUCTOR.find(info, heap);
      String name = constructor.orElseGet(() -> typeOf(info));
      Optional<SourceInfo> source = heap.findSourceInfo(info);
      if (source.isEmpty()) {
        return constructor.isPresent()
            ? constructor
            : symbol(info, heap).map(symbol -> name + " " + symbol.qualifiedName());
      }
      String label = source.get().label();
      String binding = label.isEmpty() ? heap.findCodeName(info).orElse("") : label;
      String shown = constructor.isEmpty() && !binding.isEmpty() ? " " + binding : "";
      String position = source.get().position();
      return Optional.of(name + shown + (position.isEmpty() ? "" : " (" + position + ")"));
    }
  },
  /** Module that defines the constructor, or that contains the code. */
  MODULE {
    @Override
    Optional<String> find(InfoTable info, Heap heap) {
      return heap.findConstructorName(info)
          .map(ConstructorName::module)
          .or(() -> heap.findSourceInfo(info).map(SourceInfo::module))
          .or(() -> symbol(info, heap).map(CodeSymbol::module));
    }
  },
  /** Package that defines the constructor, or that contains the code; without version. */
  PACKAGE {
    @Override
    Optional<String> find(InfoTable info, Heap heap) {
      return heap.findConstructorName(info)
          .or(() -> symbol(info, heap).map(it -> new ConstructorName(it.unit(), "", "")))
          .map(ConstructorName::packageName);
    }
  },
  /** Source position of the code that makes the closure. */
  SOURCE {
    @Override
    Optional<String> find(InfoTable info, Heap heap) {
      return heap.findSourceInfo(info).map(SourceInfo::position);
    }
  },
  /** Generation that it is in; closures outside the blocks, which are static, are in none. */
  GENERATION,
  /** Bytes of the closure. */
  SIZE,
  /** Cost-centre stack that allocated it, in profiled programs: {@code MAIN;Main.insert}. */
  CCS;

  /** Empty, or an empty text, where the closures have no such key. */
  Optional<String> find(InfoTable info, Heap heap) {
    throw new IllegalArgumentException(this + " is not told by info tables");
  }

  /**
   * The key of closures with that info table.
   *
   * @throws IllegalArgumentException when info tables do not tell it
   */
  public String of(InfoTable info, Heap heap) {
    return find(info, heap).filter(key -> !key.isEmpty()).orElseGet(() -> typeOf(info));
  }

  /** Whether all closures of an info table have the same key. */
  public boolean isOfInfo() {
    return this != GENERATION && this != SIZE && this != CCS;
  }

  private static Optional<CodeSymbol> symbol(InfoTable info, Heap heap) {
    return info.type().isCode() ? heap.findSymbol(info) : Optional.empty();
  }

  private static String typeOf(InfoTable info) {
    return "<" + info.type().name() + ">";
  }

  /** As written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
