package io.berth.e2e.controller;

import io.berth.apiserver.conformance.ApiUnderTest;
import io.berth.controllers.suite.ClaimSuite;
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
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// The controllers' suites on a real kube-apiserver, whoever the controllers are. Their tests wait
/// for most of their time, some for more than a minute, so they do it beside each other.
abstract class ControllerSuites {
    abstract ApiUnderTest real();

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Claims extends ClaimSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class CronJobs extends CronJobSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class DaemonSets extends DaemonSetSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Deployments extends DeploymentSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Devices extends DeviceSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Disruptions extends DisruptionSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Garbage extends GarbageSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Jobs extends JobSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Nodes extends NodeSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class StatefulSets extends StatefulSetSuite {
        @Override
        public ApiUnderTest api() {
            return real();
        }
    }
}
