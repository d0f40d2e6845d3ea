package io.berth.apiserver;

import io.berth.apiserver.conformance.ApiUnderTest;
import io.berth.apiserver.conformance.ApplyConformance;
import io.berth.apiserver.conformance.CreateConformance;
import io.berth.apiserver.conformance.CustomKindConformance;
import io.berth.apiserver.conformance.DeleteConformance;
import io.berth.apiserver.conformance.DeviceConformance;
import io.berth.apiserver.conformance.DiscoveryConformance;
import io.berth.apiserver.conformance.ErrorConformance;
import io.berth.apiserver.conformance.EventConformance;
import io.berth.apiserver.conformance.ListConformance;
import io.berth.apiserver.conformance.PodConformance;
import io.berth.apiserver.conformance.UpdateConformance;
import io.berth.apiserver.conformance.WatchConformance;
import io.berth.apiserver.conformance.WorkloadConformance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/// The conformance suites against the embedded server.
final class EmbeddedConformanceTest {
    private static final EmbeddedApiServer SERVER =
            EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT);

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static ApiUnderTest server() {
        return new ApiUnderTest(SERVER.uri(), TestTls.trusting(SERVER), SERVER.token());
    }

    @Nested
    final class Create extends CreateConformance {
        @Override
        public ApiUnderTest api() {
            return server();
        }
    }

    @Nested
    final class Lists extends ListConformance {
        @Override
        public ApiUnderTest api() {
            return server();
        }
    }

    @Nested
    final class Watch extends WatchConformance {
        @Override
        public ApiUnderTest api() {
            return server();
        }
    }

    @Nested
    final class Workload extends WorkloadConformance {
        @Override
        public ApiUnderTest api() {
            return server();
        }
    }

    @Nested
    final class Update extends UpdateConformance {
        @Override
        public ApiUnderTest api() {
            return server();
        }
    }

    @Nested
    final class Apply extends ApplyConformance {
        @Override
        public ApiUnderTest api() {
            return server();
        }
    }

    @Nested
    final class CustomKinds extends CustomKindConformance {
        @Override
        public ApiUnderTest api() {
            return server();
        }
    }

    @Nested
    final class Delete extends DeleteConformance {
        @Override
        public ApiUnderTest api() {
            return server();
        }
    }

    @Nested
    final class Devices extends DeviceConformance {
        @Override
        public ApiUnderTest api() {
            return server();
        }
    }

    @Nested
    final class Pods extends PodConformance {
        @Override
        public ApiUnderTest api() {
            return server();
        }
    }

    @Nested
    final class Events extends EventConformance {
        @Override
        public ApiUnderTest api() {
            return server();
        }
    }

    @Nested
    final class Errors extends ErrorConformance {
        @Override
        public ApiUnderTest api() {
            return server();
        }
    }

    @Nested
    final class Discovery extends DiscoveryConformance {
        @Override
        public ApiUnderTest api() {
            return server();
        }
    }
}
