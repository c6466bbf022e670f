package org.ghcdebug.client.export;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A format of graphs.
 *
 * <p>What XML cannot hold, control characters above all, is written as U+FFFD in each of them; only
 * the ends of lines in labels are kept.
 */
public enum GraphFormat {
  /** Graphviz: labels, and all else as tooltips. */
  DOT {
    @Override
    public void write(PropertyGraph graph, Consumer<String> lines) {
      lines.accept("digraph heap {");
      lines.accept("  node [shape=box];");
      List<PropertyGraph.Node> nodes = graph.nodes();
      for (int i = 0; i < nodes.size(); i++) {
        PropertyGraph.Node node = nodes.get(i);
        lines.accept(
            "  n%d [label=%s, tooltip=%s%s];"
                .formatted(
                    i,
                    quoted(node.label()),
                    quoted(tooltip(node)),
                    node.isRoot() ? ", peripheries=2" : ""));
      }
      for (PropertyGraph.Edge edge : graph.edges()) {
        lines.accept(
            "  n%d -> n%d [label=%s];".formatted(edge.from(), edge.to(), quoted(edge.label())));
      }
      lines.accept("}");
    }

    private String tooltip(PropertyGraph.Node node) {
      var text = new StringBuilder();
      node.texts().forEach((key, value) -> text.append("%s: %s\n".formatted(key, value)));
      node.numbers().forEach((key, value) -> text.append("%s: %d\n".formatted(key, value)));
      return text.toString();
    }

    private String quoted(String text) {
      return '"'
          + clean(text).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
          + '"';
    }
  },

  /** XML, for yEd, Gephi, networkx and others. */
  GRAPHML {
    @Override
    public void write(PropertyGraph graph, Consumer<String> lines) {
      lines.accept("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
      lines.accept("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">");
      key("node", "label", "string", lines);
      key("node", "root", "boolean", lines);
      key("edge", "label", "string", lines);
      keys(graph.nodes().stream().map(node -> node.texts().keySet()).toList())
          .forEach(name -> key("node", name, "string", lines));
      keys(graph.nodes().stream().map(node -> node.numbers().keySet()).toList())
          .forEach(name -> key("node", name, "long", lines));
      keys(graph.edges().stream().map(edge -> edge.numbers().keySet()).toList())
          .forEach(name -> key("edge", name, "long", lines));
      lines.accept("  <graph edgedefault=\"directed\">");
      for (int i = 0; i < graph.nodes().size(); i++) {
        PropertyGraph.Node node = graph.nodes().get(i);
        lines.accept("    <node id=\"n%d\">".formatted(i));
        data("node", "label", node.label(), lines);
        data("node", "root", node.isRoot(), lines);
        node.texts().forEach((name, value) -> data("node", name, value, lines));
        node.numbers().forEach((name, value) -> data("node", name, value, lines));
        lines.accept("    </node>");
      }
      for (PropertyGraph.Edge edge : graph.edges()) {
        lines.accept("    <edge source=\"n%d\" target=\"n%d\">".formatted(edge.from(), edge.to()));
        data("edge", "label", edge.label(), lines);
        edge.numbers().forEach((name, value) -> data("edge", name, value, lines));
        lines.accept("    </edge>");
      }
      lines.accept("  </graph>");
      lines.accept("</graphml>");
    }

    private Set<String> keys(List<? extends Collection<String>> all) {
      Set<String> keys = new LinkedHashSet<>();
      all.forEach(keys::addAll);
      return keys;
    }

    private void key(String owner, String name, String type, Consumer<String> lines) {
      lines.accept(
          "  <key id=\"%s.%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>"
              .formatted(owner, name, owner, name, type));
    }

    private void data(String owner, String name, Object value, Consumer<String> lines) {
      lines.accept(
          "      <data key=\"%s.%s\">%s</data>"
              .formatted(
                  owner,
                  name,
                  clean(value.toString())
                      .replace("&", "&amp;")
                      .replace("<", "&lt;")
                      .replace(">", "&gt;")
                      .replace("\n", "&#10;")));
    }
  },

  /** Nested lists, for Cytoscape, Gephi, networkx and others; ASCII. */
  GML {
    @Override
    public void write(PropertyGraph graph, Consumer<String> lines) {
      lines.accept("graph [");
      lines.accept("  directed 1");
      for (int i = 0; i < graph.nodes().size(); i++) {
        PropertyGraph.Node node = graph.nodes().get(i);
        lines.accept("  node [");
        lines.accept("    id %d".formatted(i));
        lines.accept("    label %s".formatted(quoted(node.label())));
        lines.accept("    root %d".formatted(node.isRoot() ? 1 : 0));
        node.texts().forEach((name, value) -> lines.accept("    " + name + " " + quoted(value)));
        numbers(node.numbers(), lines);
        lines.accept("  ]");
      }
      for (PropertyGraph.Edge edge : graph.edges()) {
        lines.accept("  edge [");
        lines.accept("    source %d".formatted(edge.from()));
        lines.accept("    target %d".formatted(edge.to()));
        lines.accept("    label %s".formatted(quoted(edge.label())));
        numbers(edge.numbers(), lines);
        lines.accept("  ]");
      }
      lines.accept("]");
    }

    /** Integers have 32 bits; what is larger is a real number. */
    private void numbers(Map<String, Long> numbers, Consumer<String> lines) {
      numbers.forEach(
          (name, value) ->
              lines.accept(
                  "    %s %d%s".formatted(name, value, (int) (long) value == value ? "" : ".0")));
    }

    private String quoted(String text) {
      var quoted = new StringBuilder("\"");
      clean(text)
          .codePoints()
          .forEach(
              c -> {
                if (c == '"' || c == '&' || c < ' ' || c > '~') {
                  quoted.append("&#").append(c).append(';');
                } else {
                  quoted.append((char) c);
                }
              });
      return quoted.append('"').toString();
    }
  };

  private static final int REPLACEMENT = 0xfffd;

  /** Writes a graph; nothing of it depends on the machine. */
  public abstract void write(PropertyGraph graph, Consumer<String> lines);

  /** Text with a replacement for each character that XML 1.0 cannot hold, or would change. */
  static String clean(String text) {
    int[] kept =
        text.codePoints()
            .map(c -> c == '\n' || c >= ' ' && c < 0x7f || c > 0x9f && isXml(c) ? c : REPLACEMENT)
            .toArray();
    return new String(kept, 0, kept.length);
  }

  private static boolean isXml(int c) {
    return (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        && c != 0xfffe
        && c != 0xffff;
  }
}
