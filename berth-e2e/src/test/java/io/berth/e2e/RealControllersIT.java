package io.berth.e2e;

import io.berth.apiserver.conformance.ApiUnderTest;
import io.berth.controllers.Controllers;
import io.berth.controllers.client.ApiEndpoint;
import io.berth.controllers.suite.CronJobSuite;
import io.berth.controllers.suite.DaemonSetSuite;
import io.berth.controllers.suite.DeploymentSuite;
import io.berth.controllers.suite.DeviceSuite;
import io.berth.controllers.suite.DisruptionSuite;
import io.berth.controllers.suite.GarbageSuite;
import io.berth.controllers.suite.JobSuite;
import io.berth.controllers.suite.NodeSuite;
import io.berth.controllers.suite.PlayedNodes;
import io.berth.controllers.suite.StatefulSetSuite;
import io.berth.controllers.suite.VolumeSuite;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.Thorough;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/// The controllers' suites on a real kube-apiserver: that the controllers do what they do is worth
/// something only if they do it to the real thing.
@RealControlPlane
@Thorough
final class RealControllersIT {
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

    @Nested
    class CronJobs extends CronJobSuite {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class DaemonSets extends DaemonSetSuite {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Deployments extends DeploymentSuite {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Devices extends DeviceSuite {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Disruptions extends DisruptionSuite {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Garbage extends GarbageSuite {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Jobs extends JobSuite {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Nodes extends NodeSuite {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class StatefulSets extends StatefulSetSuite {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Volumes extends VolumeSuite {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }
}
