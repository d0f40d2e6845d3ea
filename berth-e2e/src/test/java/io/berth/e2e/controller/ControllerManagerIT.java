package io.berth.e2e.controller;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.apiserver.conformance.ApiUnderTest;
import io.berth.controllers.suite.PlayedNodes;
import io.berth.e2e.ChildProcess;
import io.berth.e2e.ControlPlane;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.Thorough;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// The real kube-controller-manager: what the suites ask of our controllers is what it does. What
/// is asked about the making of volumes is left out, since others make them there.
@RealControlPlane
@Thorough
final class ControllerManagerIT extends ControllerSuites {
    private static @Nullable ChildProcess manager;
    private static @Nullable PlayedNodes nodes;

    @SuppressWarnings("NullAway.Init")
    private static ApiUnderTest real;

    @BeforeAll
    static void start(ControlPlane plane) {
        var program = plane.binaries().controllerManager();
        assumeTrue(program.isPresent(), "there is no kube-controller-manager among the binaries");
        real = new ApiUnderTest(plane.url(), plane.adminTls(), "");
        // Played nodes have no kubelet that would tell that they live, and patience has its price.
        manager =
                plane.startControllerManager(
                        program.orElseThrow(),
                        "--node-monitor-grace-period=10h",
                        "--node-eviction-rate=10");
        nodes = new PlayedNodes(real);
    }

    @AfterAll
    static void stop() {
        if (nodes != null) {
            nodes.close();
        }
        if (manager != null) {
            manager.close();
        }
    }

    @Override
    ApiUnderTest real() {
        return real;
    }
}
