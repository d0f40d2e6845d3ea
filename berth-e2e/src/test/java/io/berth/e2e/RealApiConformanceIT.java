package io.berth.e2e;

import io.berth.apiserver.conformance.ApiUnderTest;
import io.berth.apiserver.conformance.CreateConformance;
import io.berth.apiserver.conformance.DeleteConformance;
import io.berth.apiserver.conformance.DiscoveryConformance;
import io.berth.apiserver.conformance.ErrorConformance;
import io.berth.apiserver.conformance.EventConformance;
import io.berth.apiserver.conformance.ListConformance;
import io.berth.apiserver.conformance.PodConformance;
import io.berth.apiserver.conformance.UpdateConformance;
import io.berth.apiserver.conformance.WatchConformance;
import org.junit.jupiter.api.Nested;

/// What the embedded API server is tested for is what a real kube-apiserver does: the very same
/// suites run against the real one. Where one fails here, the suite is wrong.
@RealControlPlane
final class RealApiConformanceIT {
    private final ApiUnderTest real;

    RealApiConformanceIT(ControlPlane plane) {
        real = new ApiUnderTest(plane.url(), plane.adminTls(), "");
    }

    @Nested
    class Create extends CreateConformance {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Delete extends DeleteConformance {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Discovery extends DiscoveryConformance {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Errors extends ErrorConformance {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Events extends EventConformance {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Lists extends ListConformance {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Pods extends PodConformance {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Update extends UpdateConformance {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Watch extends WatchConformance {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

}
