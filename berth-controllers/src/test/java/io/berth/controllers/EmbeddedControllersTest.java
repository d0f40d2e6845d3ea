package io.berth.controllers;

import io.berth.apiserver.EmbeddedApiServer;
import io.berth.apiserver.conformance.ApiUnderTest;
import io.berth.controllers.client.ApiEndpoint;
import io.berth.controllers.suite.ClaimSuite;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/// The suites on the embedded API server.
final class EmbeddedControllersTest {
    private static final EmbeddedApiServer SERVER =
            EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT);
    private static final ApiUnderTest API = new ApiUnderTest(SERVER.uri(), SERVER.clientTls(), "");
    private static final Controllers CONTROLLERS =
            Controllers.start(new ApiEndpoint(SERVER.uri(), SERVER.clientTls(), ""));
    private static final PlayedNodes NODES = new PlayedNodes(API);

    @AfterAll
    static void stop() {
        NODES.close();
        CONTROLLERS.close();
        SERVER.close();
    }

    @Nested
    final class Deployments extends DeploymentSuite {
        @Override
        public ApiUnderTest api() {
            return API;
        }
    }

    @Nested
    final class Garbage extends GarbageSuite {
        @Override
        public ApiUnderTest api() {
            return API;
        }
    }

    @Nested
    final class StatefulSets extends StatefulSetSuite {
        @Override
        public ApiUnderTest api() {
            return API;
        }
    }

    @Nested
    final class DaemonSets extends DaemonSetSuite {
        @Override
        public ApiUnderTest api() {
            return API;
        }
    }

    @Nested
    final class Jobs extends JobSuite {
        @Override
        public ApiUnderTest api() {
            return API;
        }
    }

    @Nested
    final class Disruptions extends DisruptionSuite {
        @Override
        public ApiUnderTest api() {
            return API;
        }
    }

    @Nested
    final class Nodes extends NodeSuite {
        @Override
        public ApiUnderTest api() {
            return API;
        }
    }

    @Nested
    final class Claims extends ClaimSuite {
        @Override
        public ApiUnderTest api() {
            return API;
        }
    }

    @Nested
    final class Volumes extends VolumeSuite {
        @Override
        public ApiUnderTest api() {
            return API;
        }
    }

    @Nested
    final class Devices extends DeviceSuite {
        @Override
        public ApiUnderTest api() {
            return API;
        }
    }
}
