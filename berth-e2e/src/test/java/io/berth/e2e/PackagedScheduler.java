package io.berth.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that starts the packaged Berth; skipped, with a line that says so, where the launcher is
/// not there.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(PackagedSchedulerCondition.class)
public @interface PackagedScheduler {}
