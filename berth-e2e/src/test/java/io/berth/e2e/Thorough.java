package io.berth.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that is too slow for every build: it runs where a control plane is required
/// (`BERTH_REQUIRE_CONTROL_PLANE=true`), which is what `.ci/run` does.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ThoroughCondition.class)
public @interface Thorough {}
