package org.ghcdebug.repl.command;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.ghcdebug.repl.render.Shape;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Range;
import picocli.CommandLine.TypeConversionException;

/**
 * One verb's command line: its own options and parameters, TARGET, and the shared options that
 * apply to it. Only the verb in question is ever modelled, which is what keeps starting up fast.
 *
 * @param commandLine parses into the other components
 * @param format null where there is nothing to format
 * @param output null where the verb has a {@code -o} of its own, or nothing to put out
 * @param rows null where the answer is not a table
 * @param connect null where no target is needed
 */
public record VerbModel(
    Registration registration,
    Verb verb,
    CommandLine commandLine,
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
            // What follows the first word of `alias` and `set` is for another line.
            .setStopAtPositional(registration.onlyInLines())
            .registerConverter(Address.class, new Address.Converter());
    spec.args().stream()
        .map(argument -> argument.auxiliaryTypes()[0])
        .filter(Class::isEnum)
        .forEach(type -> takeWords(commandLine, type));
    return new VerbModel(registration, verb, commandLine, common, format, output, rows, connect);
  }

  /** The words that an option of this type takes. */
  public static List<String> words(Class<?> enumType) {
    return Stream.of(enumType.getEnumConstants()).map(VerbModel::word).toList();
  }

  private static String word(Object constant) {
    return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static <T> void takeWords(CommandLine commandLine, Class<T> enumType) {
    commandLine.registerConverter(enumType, word -> constant(enumType, word));
  }

  private static <T> T constant(Class<T> enumType, String word) {
    return Stream.of(enumType.getEnumConstants())
        .filter(constant -> word(constant).equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "expected %s, found \"%s\""
                        .formatted(String.join(", ", words(enumType)), word)));
  }

  private static <O> O mixin(CommandSpec spec, String name, O options) {
    spec.addMixin(name, CommandSpec.forAnnotatedObject(options));
    return options;
  }

  private static void addTarget(CommandSpec spec) {
    var own = List.copyOf(spec.positionalParameters());
    own.forEach(spec::remove);
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

  /** What was given as TARGET. */
  Optional<String> findTarget() {
    return commandLine.getCommandSpec().positionalParameters().stream()
        .filter(parameter -> parameter.paramLabel().equals(TARGET))
        .findFirst()
        .filter(parameter -> verb.needsTarget())
        .map(parameter -> parameter.getValue());
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
