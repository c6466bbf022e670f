package org.ghcdebug.protocol.closure;

/**
 * What a reference from one closure to another is for. Each comes with an index whose meaning
 * depends on the kind; where none is stated it is 0.
 */
public enum EdgeKind {
  /** Payload word of a constructor, function, thunk or PRIM; index: payload word, from 0. */
  PAYLOAD("field"),
  /** Element of a pointer array; index: element. */
  ELEMENT("element"),
  /** What an indirection or black hole stands for: a value, or who evaluates it. */
  INDIRECTEE("indirectee"),
  /** What a selector thunk selects from. */
  SELECTEE("selectee"),
  /**
   * The function of a PAP, AP, AP_STACK or RET_FUN frame; index: as {@link #STACK_SLOT} in frames.
   */
  FUN("fun"),
  /** An argument of a PAP or AP; index: argument, from 0. */
  ARGUMENT("argument"),
  /**
   * The static reference table of code: not a word of the closure, but named by its info table;
   * index: the closure's word that holds the info pointer, which is 0 except for stack frames.
   */
  SRT("srt"),
  /**
   * A word of a stack frame; index: word of the closure that contains the stack, from its header.
   */
  STACK_SLOT("slot"),
  /** The next older chunk of the same stack; index: as {@link #STACK_SLOT}. */
  STACK_NEXT_CHUNK("next chunk"),
  BCO_INSTRUCTIONS("instructions"),
  BCO_LITERALS("literals"),
  BCO_POINTERS("pointers"),
  MVAR_HEAD("queue head"),
  MVAR_TAIL("queue tail"),
  MVAR_VALUE("value"),
  TVAR_VALUE("current value"),
  TVAR_WATCH_QUEUE("watch queue"),
  MUT_VAR_VALUE("value"),
  BLOCKING_QUEUE_LINK("link"),
  BLOCKING_QUEUE_BLACK_HOLE("black hole"),
  BLOCKING_QUEUE_OWNER("owner"),
  BLOCKING_QUEUE_QUEUE("queue"),
  WEAK_C_FINALIZERS("c finalizers"),
  /** The key: a weak pointer does not keep it alive. */
  WEAK_KEY("key", false),
  /** The value: the key keeps it alive, not the weak pointer. */
  WEAK_VALUE("value", false),
  /** The finalizer: the key keeps it alive, not the weak pointer. */
  WEAK_FINALIZER("finalizer", false),
  /** Next in the RTS's list of weak pointers, which keeps nothing alive. */
  WEAK_LINK("link", false),
  TSO_LINK("link"),
  TSO_STACK("stack"),
  TSO_BLOCK_INFO("block info"),
  TSO_TREC("transaction"),
  TSO_LABEL("label"),
  TSO_BLOCKED_EXCEPTIONS("blocked exceptions"),
  TSO_BLOCKING_QUEUES("blocking queues"),
  TREC_PREVIOUS("previous chunk"),
  /** Index: entry of the chunk, from 0. */
  TREC_TVAR("tvar"),
  /** Index: entry of the chunk, from 0. */
  TREC_EXPECTED("expected value"),
  /** Index: entry of the chunk, from 0. */
  TREC_NEW("new value"),
  /**
   * From anything inside a compact region to the region, which lives and dies as a whole. Not a
   * word of the closure: whoever knows the block adds it.
   */
  COMPACT_REGION("compact region");

  private final String label;
  private final boolean retaining;

  EdgeKind(String label) {
    this(label, true);
  }

  EdgeKind(String label, boolean retaining) {
    this.label = label;
    this.retaining = retaining;
  }

  /** Lower-case words for display. */
  public String label() {
    return label;
  }

  /**
   * Whether the closure it starts from keeps the closure it leads to alive. The others are those of
   * weak pointers; for retention, draw {@link #WEAK_VALUE} and {@link #WEAK_FINALIZER} from the
   * key.
   */
  public boolean isRetaining() {
    return retaining;
  }
}
