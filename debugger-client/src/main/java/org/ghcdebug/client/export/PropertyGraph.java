package org.ghcdebug.client.export;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A graph whose nodes and edges have labels, and texts and numbers by name. Names are letters.
 *
 * @param nodes numbered from 0
 * @param edges between them
 */
public record PropertyGraph(List<Node> nodes, List<Edge> edges) {
  public PropertyGraph {
    nodes = List.copyOf(nodes);
    edges = List.copyOf(edges);
  }

  /**
   * A node.
   *
   * @param label what to call it, perhaps on several lines
   * @param isRoot whether it stands out
   */
  public record Node(
      String label, boolean isRoot, Map<String, String> texts, Map<String, Long> numbers) {
    public Node {
      texts = Collections.unmodifiableMap(new LinkedHashMap<>(texts));
      numbers = Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
    }
  }

  /**
   * An edge.
   *
   * @param label empty for none
   */
  public record Edge(int from, int to, String label, Map<String, Long> numbers) {
    public Edge {
      numbers = Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
    }
  }
}
