package org.ghcdebug.client.query;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a filter can compare. */
public enum Field {
  /** Closure type: {@code THUNK_1_0}; {@code = THUNK} means its variants, too. */
  TYPE(Kind.TEXT, true),
  /** Name of a constructor; nothing else has one. */
  CONSTRUCTOR(Kind.TEXT, true),
  /** Name of a constructor or of the binding whose code a function or thunk runs. */
  NAME(Kind.TEXT, true),
  /** Module that defines the constructor or contains the code. */
  MODULE(Kind.TEXT, true),
  /** Package that defines the constructor. */
  PACKAGE(Kind.TEXT, true),
  /** Place in the source of the code that makes the closure. */
  SOURCE(Kind.TEXT, true),
  /** Bytes of the closure itself. */
  SIZE(Kind.SIZE, false),
  /** Bytes that would be free without the closure. */
  RETAINED(Kind.SIZE, false),
  ADDRESS(Kind.ADDRESS, false),
  /** Info pointer. */
  INFO(Kind.ADDRESS, true),
  GENERATION(Kind.NUMBER, false),
  /** Cost-centre stack that allocated it: its address, or its name. */
  CCS(Kind.TEXT_OR_ADDRESS, false),
  /** When it was allocated, in a program that profiles by era. */
  ERA(Kind.NUMBER, false),
  /** Contents of a String, Text or ByteString. */
  TEXT(Kind.TEXT, false),
  /** As which kind of root the garbage collector starts from it. */
  ROOT(Kind.TEXT, false);

  enum Kind {
    TEXT(true, false),
    TEXT_OR_ADDRESS(true, false),
    ADDRESS(false, true),
    SIZE(false, true),
    NUMBER(false, true);

    private final boolean matches;
    private final boolean ordered;

    Kind(boolean matches, boolean ordered) {
      this.matches = matches;
      this.ordered = ordered;
    }
  }

  private final Kind kind;
  private final boolean isOfInfo;

  Field(Kind kind, boolean isOfInfo) {
    this.kind = kind;
    this.isOfInfo = isOfInfo;
  }

  Kind kind() {
    return kind;
  }

  /** Whether all closures of an info table have the same value. */
  public boolean isOfInfo() {
    return isOfInfo;
  }

  /** The operators that make sense with it. */
  List<Operator> operators() {
    return Stream.of(Operator.values())
        .filter(
            operator ->
                switch (operator) {
                  case EQUAL, NOT_EQUAL -> true;
                  case LESS, AT_MOST, GREATER, AT_LEAST -> kind.ordered;
                  case MATCHES -> kind.matches;
                })
        .toList();
  }

  static Optional<Field> find(String word) {
    return Stream.of(values()).filter(field -> field.toString().equals(word)).findFirst();
  }

  /** As written in filters. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
