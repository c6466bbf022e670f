package org.ghcdebug.protocol.closure;

/**
 * What kind of closure or stack frame an info table describes (RTS {@code
 * rts/storage/ClosureTypes.h}).
 *
 * <p>Numbers 0 to 63 are the same in GHC 9.0 to 9.14; 9.6 added 64 and 9.14 added 65. A name's
 * {@code _a_b} means a pointers and b non-pointers; {@code CLEAN} and {@code DIRTY} tell the
 * collector's remembered-set state; {@code FROZEN} is an immutable array.
 */
public enum ClosureType {
  INVALID_OBJECT(Kind.OTHER),
  CONSTR(Kind.CONSTRUCTOR),
  CONSTR_1_0(Kind.CONSTRUCTOR),
  CONSTR_0_1(Kind.CONSTRUCTOR),
  CONSTR_2_0(Kind.CONSTRUCTOR),
  CONSTR_1_1(Kind.CONSTRUCTOR),
  CONSTR_0_2(Kind.CONSTRUCTOR),
  /** A constructor that refers to no CAF, for instance a nullary one or the RTS's own. */
  CONSTR_NOCAF(Kind.CONSTRUCTOR),
  FUN(Kind.FUNCTION),
  FUN_1_0(Kind.FUNCTION),
  FUN_0_1(Kind.FUNCTION),
  FUN_2_0(Kind.FUNCTION),
  FUN_1_1(Kind.FUNCTION),
  FUN_0_2(Kind.FUNCTION),
  FUN_STATIC(Kind.FUNCTION),
  THUNK(Kind.THUNK),
  THUNK_1_0(Kind.THUNK),
  THUNK_0_1(Kind.THUNK),
  THUNK_2_0(Kind.THUNK),
  THUNK_1_1(Kind.THUNK),
  THUNK_0_2(Kind.THUNK),
  /** A constant applicative form that is not evaluated yet. */
  THUNK_STATIC(Kind.THUNK),
  THUNK_SELECTOR(Kind.OTHER),
  /** Byte code. */
  BCO(Kind.OTHER),
  /** A saturated application, a kind of thunk. */
  AP(Kind.OTHER),
  /** A partial application. */
  PAP(Kind.OTHER),
  /** A computation suspended by an asynchronous exception. */
  AP_STACK(Kind.OTHER),
  IND(Kind.OTHER),
  /** A CAF whose evaluation has begun. */
  IND_STATIC(Kind.OTHER),
  RET_BCO(Kind.FRAME),
  RET_SMALL(Kind.FRAME),
  RET_BIG(Kind.FRAME),
  RET_FUN(Kind.FRAME),
  UPDATE_FRAME(Kind.FRAME),
  CATCH_FRAME(Kind.FRAME),
  UNDERFLOW_FRAME(Kind.FRAME),
  STOP_FRAME(Kind.FRAME),
  BLOCKING_QUEUE(Kind.OTHER),
  BLACKHOLE(Kind.OTHER),
  MVAR_CLEAN(Kind.OTHER),
  MVAR_DIRTY(Kind.OTHER),
  TVAR(Kind.OTHER),
  ARR_WORDS(Kind.OTHER),
  MUT_ARR_PTRS_CLEAN(Kind.OTHER),
  MUT_ARR_PTRS_DIRTY(Kind.OTHER),
  MUT_ARR_PTRS_FROZEN_DIRTY(Kind.OTHER),
  MUT_ARR_PTRS_FROZEN_CLEAN(Kind.OTHER),
  MUT_VAR_CLEAN(Kind.OTHER),
  MUT_VAR_DIRTY(Kind.OTHER),
  WEAK(Kind.OTHER),
  PRIM(Kind.OTHER),
  MUT_PRIM(Kind.OTHER),
  TSO(Kind.OTHER),
  STACK(Kind.OTHER),
  TREC_CHUNK(Kind.OTHER),
  ATOMICALLY_FRAME(Kind.FRAME),
  CATCH_RETRY_FRAME(Kind.FRAME),
  CATCH_STM_FRAME(Kind.FRAME),
  /** A closure locked for an instant. */
  WHITEHOLE(Kind.OTHER),
  SMALL_MUT_ARR_PTRS_CLEAN(Kind.OTHER),
  SMALL_MUT_ARR_PTRS_DIRTY(Kind.OTHER),
  SMALL_MUT_ARR_PTRS_FROZEN_DIRTY(Kind.OTHER),
  SMALL_MUT_ARR_PTRS_FROZEN_CLEAN(Kind.OTHER),
  COMPACT_NFDATA(Kind.OTHER),
  /** A captured stack slice; GHC 9.6 and newer. */
  CONTINUATION(Kind.OTHER),
  /** A stack annotation; GHC 9.14 and newer. */
  ANN_FRAME(Kind.FRAME),
  /** A number that no supported GHC uses; {@link #number} is -1. */
  UNKNOWN(Kind.OTHER);

  private enum Kind {
    CONSTRUCTOR,
    FUNCTION,
    THUNK,
    FRAME,
    OTHER
  }

  private static final ClosureType[] BY_NUMBER = values();

  private final Kind kind;

  ClosureType(Kind kind) {
    this.kind = kind;
  }

  /** The RTS's number, -1 for {@link #UNKNOWN}. O(1). */
  public int number() {
    return this == UNKNOWN ? -1 : ordinal();
  }

  /** The type with that number, {@link #UNKNOWN} when there is none. O(1). */
  public static ClosureType ofNumber(int number) {
    return number >= 0 && number < UNKNOWN.ordinal() ? BY_NUMBER[number] : UNKNOWN;
  }

  /** Types 1 to 7. */
  public boolean isConstructor() {
    return kind == Kind.CONSTRUCTOR;
  }

  /** Types 8 to 14, {@link #FUN_STATIC} included. */
  public boolean isFunction() {
    return kind == Kind.FUNCTION;
  }

  /** Types 15 to 21, {@link #THUNK_STATIC} included; not selectors and applications. */
  public boolean isThunk() {
    return kind == Kind.THUNK;
  }

  /** Whether it stands on stacks only. */
  public boolean isFrame() {
    return kind == Kind.FRAME;
  }

  /**
   * Whether it is a function, thunk or frame: then its info table's last field is an SRT offset and
   * not a constructor number.
   */
  public boolean isCode() {
    return isFunction() || isThunk() || isFrame();
  }
}
