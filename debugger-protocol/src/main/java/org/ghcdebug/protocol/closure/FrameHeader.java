package org.ghcdebug.protocol.closure;

/**
 * What every stack frame has.
 *
 * @param wordIndex index of its info pointer in the closure that contains it, counted from the
 *     closure's own info pointer
 * @param info its info table
 * @param sizeWords its size, info pointer included
 */
public record FrameHeader(int wordIndex, InfoTable info, int sizeWords) {}
