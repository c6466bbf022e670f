package org.ghcdebug.repl.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ghcdebug.repl.render.Shape;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Range;
import picocli.CommandLine.TypeConversionException;

/**
 * One verb's command line: its own options and parameters, TARGET, and the shared options that
 * apply to it.
 *
 * <p>Only the verb in question is ever modelled, which keeps starting up fast; so does that no
 * lambda here names a type of picocli, whose class files are too old for the JVM's start-up cache.
 *
 * @param commandLine parses into the other components
 * @param own what the verb takes itself, and TARGET
 * @param format null where there is nothing to format
 * @param output null where the verb has a {@code -o} of its own, or nothing to put out
 * @param rows null where the answer is not a table
 * @param connect null where no target is needed
 */
public record VerbModel(
    Registration registration,
    Verb verb,
    CommandLine commandLine,
    List<ArgSpec> own,
    CommonOptions common,
    @Nullable FormatOptions format,
    @Nullable OutputOption output,
    @Nullable RowOptions rows,
    @Nullable ConnectOptions connect) {
  private static final String TARGET = "TARGET";

  /**
   * @param takesTarget whether TARGET is the first parameter, if the verb needs a target at all
   */
  public static VerbModel of(Registration registration, Form form, boolean takesTarget) {
    Verb verb = registration.create().get();
    Shape<?, ?> shape = verb.shape();
    CommandSpec spec = CommandSpec.forAnnotatedObject(verb);
    spec.name((form == Form.SUBCOMMAND ? "ghc-debug " : "") + registration.name());
    if (takesTarget && verb.needsTarget()) {
      addTarget(spec);
    }
    List<ArgSpec> own = List.copyOf(spec.args());
    boolean answers = !shape.columns().isEmpty();
    var format = answers ? mixin(spec, "format", new FormatOptions()) : null;
    var output =
        answers && spec.findOption("-o") == null ? mixin(spec, "output", new OutputOption()) : null;
    var rows = shape.isTable() ? mixin(spec, "rows", new RowOptions()) : null;
    var connect =
        verb.needsTarget() || verb instanceof OpensPrompt
            ? mixin(spec, "connect", new ConnectOptions())
            : null;
    var common = mixin(spec, "common", new CommonOptions());
    spec.usageMessage().abbreviateSynopsis(true).sortOptions(false).width(100);
    var commandLine =
        new CommandLine(spec)
            .setExpandAtFiles(false)
            .setInterpolateVariables(false)
            .setStopAtPositional(verb.quotesLine())
            .registerConverter(Address.class, new Address.Converter());
    for (ArgSpec argument : spec.args()) {
      if (argument.auxiliaryTypes()[0].isEnum()) {
        takeWords(commandLine, argument.auxiliaryTypes()[0]);
      }
    }
    return new VerbModel(
        registration, verb, commandLine, own, common, format, output, rows, connect);
  }

  /** The words that an option of this type takes. */
  public static List<String> words(Class<?> enumType) {
    return Stream.of(enumType.getEnumConstants()).map(VerbModel::word).toList();
  }

  private static String word(Object constant) {
    return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static <T> void takeWords(CommandLine commandLine, Class<T> enumType) {
    commandLine.registerConverter(enumType, new WordConverter<>(enumType));
  }

  private record WordConverter<T>(Class<T> enumType) implements ITypeConverter<T> {
    @Override
    public T convert(String word) {
      for (T constant : enumType.getEnumConstants()) {
        if (word(constant).equals(word)) {
          return constant;
        }
      }
      throw new TypeConversionException(
          "expected %s, found \"%s\"".formatted(String.join(", ", words(enumType)), word));
    }
  }

  private static <O> O mixin(CommandSpec spec, String name, O options) {
    spec.addMixin(name, CommandSpec.forAnnotatedObject(options));
    return options;
  }

  private static void addTarget(CommandSpec spec) {
    var own = List.copyOf(spec.positionalParameters());
    for (PositionalParamSpec parameter : own) {
      spec.remove(parameter);
    }
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("0")
            .paramLabel(TARGET)
            .type(String.class)
            .required(true)
            .description("A socket, tcp://HOST:PORT, pid:N, a program, a snapshot file, or demo.")
            .build());
    for (PositionalParamSpec parameter : own) {
      Range index = parameter.index();
      String shifted =
          (index.min() + 1) + ".." + (index.isVariable() ? "*" : String.valueOf(index.max() + 1));
      spec.addPositional(PositionalParamSpec.builder(parameter).index(shifted).build());
    }
  }

  /** What was asked: the verb's own arguments that have a value, given or not, by their names. */
  Map<String, String> question() {
    Map<String, String> question = new LinkedHashMap<>();
    for (ArgSpec argument : own) {
      Object value = argument.getValue();
      String text =
          value instanceof List<?> words
              ? words.stream().map(String::valueOf).collect(Collectors.joining(" "))
              : value == null ? "" : String.valueOf(value);
      String name =
          argument instanceof OptionSpec option
              ? option.longestName().replaceFirst("^-+", "")
              : argument.paramLabel();
      boolean isTarget = verb.needsTarget() && name.equals(TARGET);
      if (!text.isEmpty() && !isTarget) {
        question.merge(name, text, (one, other) -> one + " " + other);
      }
    }
    return question;
  }

  /** What was given as TARGET. */
  Optional<String> findTarget() {
    for (PositionalParamSpec parameter : commandLine.getCommandSpec().positionalParameters()) {
      if (verb.needsTarget() && parameter.paramLabel().equals(TARGET)) {
        return Optional.ofNullable(parameter.getValue());
      }
    }
    return Optional.empty();
  }

  /** The verb's help. */
  public String usage() {
    return commandLine.getUsageMessage(Ansi.OFF);
  }

  /** What the verb does, in a line. */
  public String summary() {
    return String.join(" ", commandLine.getCommandSpec().usageMessage().header());
  }
}
