package org.ghcdebug.client.analysis.retainer;

import java.util.List;

/**
 * Ways from roots to closures that were asked for.
 *
 * @param paths those that are alike together, most bytes first
 * @param unheldCount how many of the closures no such way leads to
 * @param unheldBytes their sizes added up
 */
public record RetainerPaths(List<Path> paths, long unheldCount, long unheldBytes) {
  public RetainerPaths {
    paths = List.copyOf(paths);
  }

  /**
   * Ways that are alike.
   *
   * @param steps one of them, from the closure asked for to the root
   * @param count closures that such a way leads to
   * @param bytes their sizes added up
   */
  public record Path(List<Step> steps, long count, long bytes) {
    public Path {
      steps = List.copyOf(steps);
    }
  }

  /**
   * Closures of one kind that follow each other on a way.
   *
   * @param closureId the one nearest to the closure asked for
   * @param times how many there are on the way shown
   */
  public record Step(int closureId, int times) {}
}
