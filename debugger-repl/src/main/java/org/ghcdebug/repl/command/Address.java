package org.ghcdebug.repl.command;

import java.util.Optional;
import java.util.regex.Pattern;
import org.ghcdebug.repl.render.Values;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * ADDR of the command line; pointer tags are kept.
 *
 * @param value unsigned
 */
public record Address(long value) {
  private static final Pattern FORM = Pattern.compile("0[xX][0-9a-fA-F]{1,16}");

  @Override
  public String toString() {
    return Values.address(value);
  }

  /** The address that a text is; empty when it is something else. */
  public static Optional<Address> find(String text) {
    return FORM.matcher(text).matches()
        ? Optional.of(new Address(Long.parseUnsignedLong(text.substring(2), 16)))
        : Optional.empty();
  }

  /** Reads {@code 0x} and up to 16 hexadecimal digits. */
  static final class Converter implements ITypeConverter<Address> {
    @Override
    public Address convert(String text) {
      return find(text)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "\"%s\" is not an address; expected 0x and hexadecimal digits, or $1 for row 1 of the last answer"
                          .formatted(text)));
    }
  }
}
