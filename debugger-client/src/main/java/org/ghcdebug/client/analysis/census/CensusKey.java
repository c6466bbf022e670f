package org.ghcdebug.client.analysis.census;

import java.util.Locale;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.jspecify.annotations.Nullable;

/**
 * By what a census groups. What a closure lacks for its key (a function has no constructor, code
 * compiled without {@code -finfo-table-map} no source) is grouped by closure type, in angle
 * brackets, so that every census adds up to the same totals.
 */
public enum CensusKey {
  /** The RTS's closure type: {@code CONSTR_2_0}, {@code THUNK}. */
  TYPE {
    @Override
    String of(InfoTable info, @Nullable ConstructorName constructor, @Nullable SourceInfo source) {
      return info.type().name();
    }
  },
  /** Qualified constructor name: {@code Data.Map.Internal.Bin}. */
  CONSTRUCTOR {
    @Override
    String of(InfoTable info, @Nullable ConstructorName constructor, @Nullable SourceInfo source) {
      return constructor == null ? typeOf(info) : constructor.qualifiedName();
    }
  },
  /** Constructor, or the enclosing binding of a function or thunk, with its source location. */
  CLOSURE {
    @Override
    String of(InfoTable info, @Nullable ConstructorName constructor, @Nullable SourceInfo source) {
      String name = constructor == null ? typeOf(info) : constructor.qualifiedName();
      if (source == null) {
        return name;
      }
      String label = constructor == null && !source.label().isEmpty() ? " " + source.label() : "";
      String place = source.position().isEmpty() ? "" : " (" + source.position() + ")";
      return name + label + place;
    }
  },
  /** Module that defines the constructor, or that contains the code. */
  MODULE {
    @Override
    String of(InfoTable info, @Nullable ConstructorName constructor, @Nullable SourceInfo source) {
      String module =
          constructor != null ? constructor.module() : source != null ? source.module() : "";
      return module.isEmpty() ? typeOf(info) : module;
    }
  },
  /** Package that defines the constructor, without version. */
  PACKAGE {
    @Override
    String of(InfoTable info, @Nullable ConstructorName constructor, @Nullable SourceInfo source) {
      String packageName = constructor == null ? "" : constructor.packageName();
      return packageName.isEmpty() ? typeOf(info) : packageName;
    }
  },
  /** Source position of the code that makes the closure. */
  SOURCE {
    @Override
    String of(InfoTable info, @Nullable ConstructorName constructor, @Nullable SourceInfo source) {
      return source == null || source.position().isEmpty() ? typeOf(info) : source.position();
    }
  };

  abstract String of(
      InfoTable info, @Nullable ConstructorName constructor, @Nullable SourceInfo source);

  private static String typeOf(InfoTable info) {
    return "<" + info.type().name() + ">";
  }

  /** As written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
