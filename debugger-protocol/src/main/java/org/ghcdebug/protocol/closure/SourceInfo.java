package org.ghcdebug.protocol.closure;

/**
 * What the compiler recorded about an info table with {@code -finfo-table-map} (RTS {@code
 * InfoProv}, rts/IPE.h). Text fields can be empty.
 *
 * @param tableName symbol such as {@code sat_s4mm_info}
 * @param closureTypeNumber the closure's type, 0 in older compilers for any constructor, -1 when it
 *     is not a number
 * @param typeDescription type of the expression, such as {@code IO ()}
 * @param label enclosing bindings, such as {@code main.key}
 * @param module such as {@code Main}
 * @param position {@code file:span}, such as {@code Zoo.hs:(130,10)-(140,67)}
 */
public record SourceInfo(
    String tableName,
    int closureTypeNumber,
    String typeDescription,
    String label,
    String module,
    String position) {
  /**
   * From the six texts of the protocol's answer. A position that is only the colon between an empty
   * file and an empty span becomes empty.
   */
  public static SourceInfo parse(
      String tableName,
      String closureType,
      String typeDescription,
      String label,
      String module,
      String position) {
    return new SourceInfo(
        tableName,
        parseNumber(closureType),
        typeDescription,
        label,
        module,
        position.equals(":") ? "" : position);
  }

  private static int parseNumber(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException _) {
      return -1;
    }
  }
}
