package org.ghcdebug.client.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of real programs: run once for each GHC, with its version, such as 9.6.6, as argument. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Tag("debuggee")
@ParameterizedTest(name = "GHC {0}")
@MethodSource("org.ghcdebug.client.testing.TestPrograms#ghcVersions")
public @interface DebuggeeTest {}
