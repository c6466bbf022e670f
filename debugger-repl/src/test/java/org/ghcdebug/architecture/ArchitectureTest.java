package org.ghcdebug.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The rules of "Dependency directions": which package may use which. */
class ArchitectureTest {
  private static final String ROOT = "org.ghcdebug.";

  /** So many production classes were there when the rules were written; the count only grows. */
  private static final int LEAST_CLASSES = 100;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("org.ghcdebug");

  /**
   * Package, and the packages that it names; what those may use, it may use as well. A package
   * stands for its sub-packages where they have no line of their own.
   */
  private static final Map<String, List<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("protocol.error", List.of()),
          Map.entry("protocol.target", List.of("protocol.error")),
          Map.entry("protocol.closure", List.of("protocol.target")),
          Map.entry("protocol.layout", List.of("protocol.closure")),
          Map.entry("protocol.decode", List.of("protocol.layout")),
          Map.entry("protocol.wire", List.of("protocol.target")),
          Map.entry("protocol.extension", List.of("protocol.wire")),
          Map.entry("protocol.snapshot", List.of("protocol.wire", "protocol.closure")),
          Map.entry("protocol.eventlog", List.of("protocol.target")),
          Map.entry("client.collections", List.of("protocol")),
          Map.entry("client.work", List.of("protocol")),
          Map.entry("client.source", List.of("client.collections", "client.work")),
          Map.entry("client.index", List.of("client.source")),
          Map.entry("client.heap", List.of("client.index")),
          Map.entry("client.value", List.of("client.heap")),
          Map.entry("client.query", List.of("client.value")),
          Map.entry("client.analysis", List.of("client.query")),
          Map.entry("client.export", List.of("client.analysis")),
          Map.entry("client.eventlog", List.of("client.collections", "client.work")),
          Map.entry("client.debuggee", List.of("client.export", "client.eventlog")),
          Map.entry("client.junit", List.of("client.debuggee")),
          Map.entry("stub.heap", List.of("protocol")),
          Map.entry("stub.server", List.of("stub.heap")),
          Map.entry("stub.cli", List.of("stub.server")),
          Map.entry("repl.render", List.of("client", "protocol")),
          Map.entry("repl.command", List.of("repl.render", "stub")),
          Map.entry("repl.shell", List.of("repl.command")),
          Map.entry("repl", List.of("repl.shell")));

  @Test
  void enoughClassesWereReadForTheRulesToMeanSomething() {
    assertTrue(CLASSES.size() >= LEAST_CLASSES, () -> "only %d classes".formatted(CLASSES.size()));
    for (String module : List.of("protocol", "client", "stub", "repl")) {
      assertTrue(
          CLASSES.stream().anyMatch(c -> c.getPackageName().startsWith(ROOT + module)), module);
    }
  }

  @Test
  void everyPackageHasRules() {
    for (JavaClass c : CLASSES) {
      assertTrue(findRule(c.getPackageName()).isPresent(), () -> "no rule for " + c.getName());
    }
  }

  @TestFactory
  Stream<DynamicTest> packageUsesOnlyThoseBelowIt() {
    return MAY_USE.keySet().stream()
        .sorted()
        .map(
            name -> DynamicTest.dynamicTest(name, () -> usesOnlyThoseBelowIt(name).check(CLASSES)));
  }

  private static ArchRule usesOnlyThoseBelowIt(String name) {
    var allowed = new LinkedHashSet<String>();
    addBelow(name, allowed);
    String[] packages = allowed.stream().map(below -> ROOT + below + "..").toArray(String[]::new);
    return noClasses()
        .that(belongTo(name))
        .should()
        .dependOnClassesThat(
            resideInAPackage("org.ghcdebug..")
                .and(resideOutsideOfPackages(packages))
                .and(not(belongTo(name))))
        .allowEmptyShould(true)
        .as("%s uses only %s".formatted(name, allowed));
  }

  private static void addBelow(String name, Set<String> allowed) {
    for (String below : MAY_USE.getOrDefault(name, List.of())) {
      if (allowed.add(below)) {
        addBelow(below, allowed);
      }
    }
  }

  /** The most special rule for a package: its own, or that of the nearest package around it. */
  private static Optional<String> findRule(String packageName) {
    String name = packageName.substring(Math.min(ROOT.length(), packageName.length()));
    while (!MAY_USE.containsKey(name)) {
      int dot = name.lastIndexOf('.');
      if (dot < 0) {
        return Optional.empty();
      }
      name = name.substring(0, dot);
    }
    return Optional.of(name);
  }

  private static DescribedPredicate<JavaClass> belongTo(String name) {
    return DescribedPredicate.describe(
        "belong to " + name,
        c ->
            c.getPackageName().startsWith(ROOT)
                && findRule(c.getPackageName()).equals(Optional.of(name)));
  }

  @Test
  void noPackagesUseEachOther() {
    slices().matching("org.ghcdebug.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void layoutsOfReleasesAreNamedOnlyWhereOneIsChosen() {
    onlyIn(
            "..protocol.layout.ghc*..",
            "..protocol.layout.ghc*..",
            "..protocol.decode..",
            "..stub.heap..")
        .check(CLASSES);
  }

  /** But for the description of a socket, which the facade hands out. */
  @Test
  void concreteSourcesAreNamedOnlyByTheFacade() {
    noClasses()
        .that()
        .resideOutsideOfPackages("..client.source.*..", "..client.debuggee..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("..client.source.*..").and(not(simpleName("DebuggeeSocket"))))
        .check(CLASSES);
  }

  @Test
  void analysesDoNotUseEachOther() {
    slices()
        .matching("org.ghcdebug.client.analysis.(*)..")
        .should()
        .notDependOnEachOther()
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void theStubIsUsedOnlyByTheDemo() {
    noClasses()
        .that()
        .resideInAPackage("..repl..")
        .and()
        .haveSimpleNameNotStartingWith("Demo")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.ghcdebug.stub..")
        .check(CLASSES);
  }

  @Test
  void internalPackagesAreUsedOnlyWithinThePackageThatContainsThem() {
    for (JavaClass user : CLASSES) {
      for (var dependency : user.getDirectDependenciesFromSelf()) {
        String used = dependency.getTargetClass().getPackageName();
        int internal = used.startsWith(ROOT) ? used.indexOf(".internal") : -1;
        assertTrue(
            internal < 0 || user.getPackageName().startsWith(used.substring(0, internal)),
            dependency::getDescription);
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> librariesAreUsedOnlyWherePlanned() {
    return Map.of(
            "io.netty..",
            List.of(
                "..protocol.wire..",
                "..protocol.extension..",
                "..protocol.snapshot..",
                "..protocol.eventlog..",
                "..source..",
                "..stub.server.."),
            "org.newsclub..",
            List.of("..source..", "..stub.server.."),
            "java.lang.foreign..",
            List.of("..source..", "..client.index..", "..protocol.snapshot.."),
            "io.airlift..",
            List.of("..eventlog.source..", "..protocol.snapshot.."),
            "org.jline..",
            List.of("org.ghcdebug.repl.."),
            "picocli..",
            List.of("org.ghcdebug.repl..", "..stub.cli.."),
            "org.junit..",
            List.of("..client.junit.."),
            "org.opentest4j..",
            List.of("..client.junit.."))
        .entrySet()
        .stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey(),
                    () ->
                        onlyIn(entry.getKey(), entry.getValue().toArray(String[]::new))
                            .check(CLASSES)));
  }

  private static ArchRule onlyIn(String used, String... users) {
    return noClasses()
        .that()
        .resideOutsideOfPackages(users)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(used);
  }

  @Test
  void everyPackageIsNullMarked() {
    for (JavaClass c : CLASSES) {
      assertTrue(c.getPackage().isAnnotatedWith(NullMarked.class), c::getPackageName);
    }
  }

  @Test
  void exceptionsSayWhatTheyAre() {
    NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS.check(CLASSES);
  }

  @Test
  void onlyProgramsPrint() {
    noClasses()
        .that()
        .resideOutsideOfPackages("..repl..", "..stub.cli..")
        .should(ACCESS_STANDARD_STREAMS)
        .check(CLASSES);
  }

  @Test
  void closuresAreValues() {
    for (JavaClass c : CLASSES) {
      if (c.getPackageName().equals(ROOT + "protocol.closure")
          && c.getModifiers().contains(JavaModifier.PUBLIC)) {
        Class<?> type = c.reflect();
        assertTrue(type.isRecord() || type.isEnum() || type.isSealed(), c::getName);
      }
    }
  }
}
