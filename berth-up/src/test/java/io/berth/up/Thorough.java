package io.berth.up;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/// A test that waits too long for every build; it runs with `.ci/run`, together with the long ones
/// on a real control plane.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfEnvironmentVariable(
        named = "BERTH_REQUIRE_CONTROL_PLANE",
        matches = "true",
        disabledReason = "runs in .ci/run")
@interface Thorough {}
