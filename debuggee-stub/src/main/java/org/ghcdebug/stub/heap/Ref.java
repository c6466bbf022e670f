package org.ghcdebug.stub.heap;

import org.jspecify.annotations.Nullable;

/**
 * A pointer to a closure of a heap that is being built. Where the closure lies is known only when
 * the heap {@linkplain HeapBuilder#build is built}; then every use of the reference becomes its
 * address, with the pointer tag that GHC gives to a closure of its kind.
 */
public final class Ref implements Slot {
  private final boolean tagged;
  private @Nullable Ref original;
  private @Nullable ClosureSpec closure;

  private Ref(boolean tagged) {
    this.tagged = tagged;
  }

  /** A reference whose closure is given later by {@link #bind}. */
  static Ref unbound() {
    return new Ref(true);
  }

  static Ref to(ClosureSpec closure) {
    var ref = new Ref(true);
    ref.closure = closure;
    return ref;
  }

  /** The same closure, always pointed to without a tag, as code is free to do. */
  public Ref untagged() {
    var ref = new Ref(false);
    ref.original = this;
    return ref;
  }

  void bind(Ref definition) {
    if (original != null || closure != null) {
      throw new IllegalStateException("the reference has a closure already");
    }
    original = definition;
  }

  /**
   * The closure referred to.
   *
   * @throws IllegalStateException when the reference was declared and never defined
   */
  ClosureSpec closure() {
    Ref ref = this;
    while (ref.original != null) {
      ref = ref.original;
      if (ref == this) {
        throw new IllegalStateException("the reference is defined as itself");
      }
    }
    if (ref.closure == null) {
      throw new IllegalStateException("the reference was declared and never defined");
    }
    return ref.closure;
  }

  /** The word that stands for this reference in memory, once addresses are known. */
  long pointer() {
    ClosureSpec target = closure();
    return tagged ? target.address() | target.code().pointerTag() : target.address();
  }
}
