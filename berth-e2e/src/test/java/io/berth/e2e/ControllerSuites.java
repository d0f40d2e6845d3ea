package io.berth.e2e;

import io.berth.apiserver.conformance.ApiUnderTest;
import io.berth.controllers.suite.CronJobSuite;
import io.berth.controllers.suite.DaemonSetSuite;
import io.berth.controllers.suite.DeploymentSuite;
import io.berth.controllers.suite.DeviceSuite;
import io.berth.controllers.suite.DisruptionSuite;
import io.berth.controllers.suite.GarbageSuite;
import io.berth.controllers.suite.JobSuite;
import io.berth.controllers.suite.NodeSuite;
import io.berth.controllers.suite.StatefulSetSuite;
import org.junit.jupiter.api.Nested;

/// The controllers' suites on a real kube-apiserver, whoever the controllers are.
abstract class ControllerSuites {
    abstract ApiUnderTest real();

    @Nested
    class CronJobs extends CronJobSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    class DaemonSets extends DaemonSetSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    class Deployments extends DeploymentSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    class Devices extends DeviceSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    class Disruptions extends DisruptionSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    class Garbage extends GarbageSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    class Jobs extends JobSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    class Nodes extends NodeSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    class StatefulSets extends StatefulSetSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }
}
