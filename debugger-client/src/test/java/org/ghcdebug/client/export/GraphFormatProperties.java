package org.ghcdebug.client.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** What is written is read back by readers made from the formats' grammars. */
class GraphFormatProperties {
  @Provide
  Arbitrary<PropertyGraph> graphs() {
    Arbitrary<String> texts =
        Arbitraries.oneOf(
            Arbitraries.strings().ofMaxLength(8),
            Arbitraries.strings().withChars("\\\"&<>;#[]{}n\n\r\t\0'x ").ofMaxLength(8),
            Arbitraries.of("\\", "\\\\", "\\\"", "&quot;", "]]>", "\ud800", "λ 文 😀", "\u0085"));
    Arbitrary<Long> numbers =
        Arbitraries.oneOf(Arbitraries.longs(), Arbitraries.longs().between(-3, 3));
    Arbitrary<PropertyGraph.Node> nodes =
        Combinators.combine(texts, Arbitraries.of(true, false), texts, numbers)
            .as(
                (label, isRoot, text, number) ->
                    new PropertyGraph.Node(
                        label, isRoot, Map.of("closure", text), Map.of("bytes", number)));
    return nodes
        .list()
        .ofMinSize(1)
        .ofMaxSize(5)
        .flatMap(
            all ->
                Combinators.combine(
                        Arbitraries.integers().between(0, all.size() - 1),
                        Arbitraries.integers().between(0, all.size() - 1),
                        texts,
                        numbers)
                    .as(
                        (from, to, label, number) ->
                            new PropertyGraph.Edge(from, to, label, Map.of("references", number)))
                    .list()
                    .ofMaxSize(5)
                    .map(edges -> new PropertyGraph(all, edges)));
  }

  private static String write(GraphFormat format, PropertyGraph graph) {
    var text = new StringBuilder();
    format.write(graph, line -> text.append(line).append('\n'));
    return text.toString();
  }

  /** Nodes and edges as every format has them. */
  private static List<Map<String, String>> expected(PropertyGraph graph, boolean hasProperties) {
    List<Map<String, String>> all = new ArrayList<>();
    for (PropertyGraph.Node node : graph.nodes()) {
      Map<String, String> entry = new LinkedHashMap<>();
      entry.put("label", GraphFormat.clean(node.label()));
      entry.put("root", String.valueOf(node.isRoot()));
      if (hasProperties) {
        entry.put("closure", GraphFormat.clean(String.valueOf(node.texts().get("closure"))));
        entry.put("bytes", String.valueOf(node.numbers().get("bytes")));
      }
      all.add(entry);
    }
    for (PropertyGraph.Edge edge : graph.edges()) {
      Map<String, String> entry = new LinkedHashMap<>();
      entry.put("label", GraphFormat.clean(edge.label()));
      entry.put("ends", edge.from() + " " + edge.to());
      if (hasProperties) {
        entry.put("references", String.valueOf(edge.numbers().get("references")));
      }
      all.add(entry);
    }
    return all;
  }

  @Property
  void dotIsReadBack(@ForAll("graphs") PropertyGraph graph) {
    String quoted = "\"((?:[^\"\\\\]|\\\\.)*)\"";
    Pattern node =
        Pattern.compile(
            "  n(\\d+) \\[label=%s, tooltip=%s(, peripheries=2)?];".formatted(quoted, quoted));
    Pattern edge = Pattern.compile("  n(\\d+) -> n(\\d+) \\[label=%s];".formatted(quoted));
    List<Map<String, String>> read = new ArrayList<>();
    List<String> lines = write(GraphFormat.DOT, graph).lines().toList();
    assertEquals("digraph heap {", lines.getFirst());
    assertEquals("}", lines.getLast());
    for (String line : lines.subList(2, lines.size() - 1)) {
      Map<String, String> entry = new LinkedHashMap<>();
      Matcher matcher = node.matcher(line);
      if (matcher.matches()) {
        assertEquals(read.size(), Integer.parseInt(matcher.group(1)));
        entry.put("label", unescaped(matcher.group(2)));
        entry.put("root", String.valueOf(matcher.group(4) != null));
        String tooltip = unescaped(matcher.group(3));
        assertTrue(tooltip.startsWith("closure: "), tooltip);
      } else {
        matcher = edge.matcher(line);
        assertTrue(matcher.matches(), line);
        entry.put("label", unescaped(matcher.group(3)));
        entry.put("ends", matcher.group(1) + " " + matcher.group(2));
      }
      read.add(entry);
    }
    assertEquals(expected(graph, false), read);
  }

  private static String unescaped(String text) {
    return Pattern.compile("\\\\(.)")
        .matcher(text)
        .replaceAll(
            escape ->
                Matcher.quoteReplacement(escape.group(1).equals("n") ? "\n" : escape.group(1)));
  }

  @Property
  void graphMlIsReadBack(@ForAll("graphs") PropertyGraph graph) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(write(GraphFormat.GRAPHML, graph))));
    Map<String, String> names = new LinkedHashMap<>(); // key -> what it stands for
    for (Element key : elements(document.getDocumentElement(), "key")) {
      names.put(key.getAttribute("id"), key.getAttribute("attr.name"));
    }
    List<Map<String, String>> read = new ArrayList<>();
    for (String kind : List.of("node", "edge")) {
      for (Element element : elements(document.getDocumentElement(), kind)) {
        Map<String, String> entry = new LinkedHashMap<>();
        for (Element data : elements(element, "data")) {
          entry.put(names.get(data.getAttribute("key")), data.getTextContent());
        }
        if (kind.equals("edge")) {
          entry.put(
              "ends",
              (element.getAttribute("source") + " " + element.getAttribute("target"))
                  .replace("n", ""));
        }
        read.add(entry);
      }
    }
    assertEquals(expected(graph, true), read);
  }

  private static List<Element> elements(Element parent, String name) {
    NodeList found = parent.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  @Property
  void gmlIsReadBack(@ForAll("graphs") PropertyGraph graph) {
    String text = write(GraphFormat.GML, graph);
    assertTrue(text.chars().allMatch(c -> c < 0x7f), text);
    Matcher tokens = Pattern.compile("\"[^\"]*\"|[^\\s\"]+").matcher(text);
    List<Map<String, String>> read = new ArrayList<>();
    List<String> open = new ArrayList<>();
    while (tokens.find()) {
      String key = tokens.group();
      if (key.equals("]")) {
        open.removeLast();
        continue;
      }
      assertTrue(key.matches("[A-Za-z][A-Za-z0-9]*"), key);
      assertTrue(tokens.find());
      String value = tokens.group();
      if (value.equals("[")) {
        open.add(key);
        if (open.size() == 2) {
          read.add(new LinkedHashMap<>());
        }
      } else if (open.size() == 2) {
        add(read.getLast(), key, value);
      }
    }
    assertTrue(open.isEmpty());
    assertEquals(expected(graph, true), read);
  }

  private static void add(Map<String, String> entry, String key, String value) {
    switch (key) {
      case "id" -> {}
      case "root" -> entry.put(key, String.valueOf(value.equals("1")));
      case "source" -> entry.put("ends", value);
      case "target" -> entry.merge("ends", value, (from, to) -> from + " " + to);
      default ->
          entry.put(
              key,
              value.startsWith("\"")
                  ? Pattern.compile("&#(\\d+);")
                      .matcher(value.substring(1, value.length() - 1))
                      .replaceAll(
                          code ->
                              Matcher.quoteReplacement(
                                  Character.toString(Integer.parseInt(code.group(1)))))
                  : value.replaceFirst("\\.0$", ""));
    }
  }

  @Example
  void gmlHasNoWholeNumbersOfMoreThan32Bits() {
    String text =
        write(
            GraphFormat.GML,
            new PropertyGraph(
                List.of(
                    new PropertyGraph.Node(
                        "", false, Map.of(), Map.of("bytes", 1L + Integer.MAX_VALUE))),
                List.of()));

    assertTrue(text.contains("bytes 2147483648.0\n"), text);
  }
}
