package io.berth.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that needs a real control plane: it may take a [ControlPlane], a [Kubectl] or an
/// [HttpApi] with all rights as a parameter. All tests of a run share one control plane.
///
/// Without the binaries the test is skipped, and one line says how to get them; with
/// `BERTH_REQUIRE_CONTROL_PLANE=true` in the environment or as a system property it fails.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RealControlPlaneExtension.class)
public @interface RealControlPlane {}
