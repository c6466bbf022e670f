package org.ghcdebug.repl.testing;

import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Json;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.TargetLabel;

/** JSON Schemas (draft 2020-12) of what verbs answer, made from their shapes. */
public final class JsonSchemas {
  private JsonSchemas() {}

  /** The schema of {@code --json} of a verb; keys are optional because of {@code --columns}. */
  public static String of(Shape<?, ?> shape) {
    var json = new Pretty();
    json.open("{");
    json.pair("$schema", Json.string("https://json-schema.org/draft/2020-12/schema"));
    json.pair("title", Json.string(shape.schemaName()));
    json.pair("type", Json.string("object"));
    json.pair(
        "required",
        "[\"schema\", \"target\", \"question\", \"complete\", \"warnings\", \"rows\", \"totals\"]");
    json.pair("additionalProperties", "false");
    json.openKey("properties", "{");
    json.pair("schema", "{\"const\": " + Json.string(shape.schemaName()) + "}");
    json.openKey("target", "{");
    json.pair("type", Json.string("object"));
    properties(json, TargetLabel.COLUMNS);
    json.close("}");
    json.pair(
        "question", "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\"}}");
    json.pair("complete", "{\"type\": \"boolean\"}");
    json.pair("warnings", "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}");
    json.openKey("rows", "{");
    json.pair("type", Json.string("array"));
    json.openKey("items", "{");
    json.pair("type", Json.string("object"));
    properties(json, shape.columns());
    json.close("}");
    json.close("}");
    json.openKey("totals", "{");
    json.pair("type", Json.string("object"));
    properties(json, shape.totals());
    json.close("}");
    json.close("}");
    json.close("}");
    return json.text();
  }

  private static <R> void properties(Pretty json, List<Column<R>> columns) {
    json.pair("additionalProperties", "false");
    json.openKey("properties", "{");
    for (Column<R> column : columns) {
      switch (column) {
        case Column.Text<R> c -> json.pair(c.key(), "{\"type\": [\"string\", \"null\"]}");
        case Column.Count<R> c -> json.pair(c.key(), integer("A number of things."));
        case Column.Id<R> c -> json.pair(c.key(), integer("A number that names something."));
        case Column.Bytes<R> c -> json.pair(c.key(), integer("Bytes."));
        case Column.Nanos<R> c -> json.pair(c.key(), integer("Nanoseconds."));
        case Column.Decimal<R> c -> json.pair(c.key(), "{\"type\": [\"number\", \"null\"]}");
        case Column.Flag<R> c -> json.pair(c.key(), "{\"type\": [\"boolean\", \"null\"]}");
        case Column.Time<R> c ->
            json.pair(c.key(), "{\"type\": [\"string\", \"null\"], \"format\": \"date-time\"}");
        case Column.Address<R> c -> json.pair(c.key(), address("[\"string\", \"null\"]"));
        case Column.Addresses<R> c ->
            json.pair(c.key(), "{\"type\": \"array\", \"items\": " + address("\"string\"") + "}");
        case Column.Records<R, ?> c -> records(json, c);
      }
    }
    json.close("}");
  }

  private static <R, N> void records(Pretty json, Column.Records<R, N> column) {
    json.openKey(column.key(), "{");
    json.pair("type", Json.string("array"));
    json.openKey("items", "{");
    json.pair("type", Json.string("object"));
    properties(json, column.columns());
    json.close("}");
    json.close("}");
  }

  private static String integer(String unit) {
    return "{\"type\": [\"integer\", \"null\"], \"description\": " + Json.string(unit) + "}";
  }

  private static String address(String type) {
    return "{\"type\": " + type + ", \"pattern\": \"^0x[0-9a-f]{16}$\"}";
  }

  /** Indents, and puts commas between members. */
  private static final class Pretty {
    private final StringBuilder text = new StringBuilder();
    private final List<Boolean> hasMembers = new ArrayList<>();

    void open(String bracket) {
      text.append(bracket);
      hasMembers.add(false);
    }

    void pair(String key, String value) {
      newMember();
      text.append(Json.string(key)).append(": ").append(value);
    }

    void openKey(String key, String bracket) {
      newMember();
      text.append(Json.string(key)).append(": ");
      open(bracket);
    }

    void close(String bracket) {
      boolean members = hasMembers.removeLast();
      if (members) {
        newLine();
      }
      text.append(bracket);
    }

    private void newMember() {
      text.append(hasMembers.getLast() ? "," : "");
      hasMembers.set(hasMembers.size() - 1, true);
      newLine();
    }

    private void newLine() {
      text.append('\n').append("  ".repeat(hasMembers.size()));
    }

    String text() {
      return text.append('\n').toString();
    }
  }
}
