package io.berth.e2e.controller;

import io.berth.apiserver.conformance.ApiUnderTest;
import io.berth.controllers.Controllers;
import io.berth.controllers.client.ApiEndpoint;
import io.berth.controllers.suite.PlayedNodes;
import io.berth.controllers.suite.VolumeSuite;
import io.berth.e2e.ControlPlane;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.Thorough;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Our controllers: that they do what they do is worth something only if they do it to the real
/// thing.
@RealControlPlane
@Thorough
final class RealControllersIT extends ControllerSuites {
    @SuppressWarnings("NullAway.Init")
    private static Controllers controllers;

    @SuppressWarnings("NullAway.Init")
    private static PlayedNodes nodes;

    @SuppressWarnings("NullAway.Init")
    private static ApiUnderTest real;

    @BeforeAll
    static void start(ControlPlane plane) {
        real = new ApiUnderTest(plane.url(), plane.adminTls(), "");
        controllers = Controllers.start(new ApiEndpoint(plane.url(), plane.adminTls(), ""));
        nodes = new PlayedNodes(real);
    }

    @AfterAll
    static void stop() {
        nodes.close();
        controllers.close();
    }

    @Override
    ApiUnderTest real() {
        return real;
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Volumes extends VolumeSuite {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }
}
