package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.berth.e2e.fixture.RealControlPlane;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// What the embedded API server is tested for is what a real kube-apiserver does: the very same
/// suites run against the real one. Where one fails here, the suite is wrong.
@RealControlPlane
final class RealApiConformanceIT {
    private final ApiUnderTest real;

    RealApiConformanceIT(ControlPlane plane) {
        real = new ApiUnderTest(plane.url(), plane.adminTls(), "");
    }

    @Nested
    class Apply extends ApplyConformance {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class Create extends CreateConformance {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Nested
    class CustomKinds extends CustomKindConformance {
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
    class Devices extends DeviceConformance {
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

    @Nested
    class Workloads extends WorkloadConformance {
        @Override
        public ApiUnderTest api() {
            return real;
        }
    }

    @Test
    void everySuiteRuns() throws Exception {
        Set<String> run =
                Stream.of(RealApiConformanceIT.class.getDeclaredClasses())
                        .map(nested -> nested.getSuperclass().getSimpleName())
                        .collect(Collectors.toSet());

        assertThat(run).isEqualTo(namesOfSuites());
    }

    /// Looked up in the jar or folder that the suites come from.
    private static Set<String> namesOfSuites() throws Exception {
        var source = ApiUnderTest.class.getProtectionDomain().getCodeSource().getLocation();
        Path place = Path.of(source.toURI());
        if (Files.isDirectory(place)) {
            return namesOfSuites(place);
        }
        try (var jar = FileSystems.newFileSystem(place)) {
            return namesOfSuites(jar.getPath("/"));
        }
    }

    private static Set<String> namesOfSuites(Path root) throws IOException {
        String folder = ApiUnderTest.class.getPackageName().replace('.', '/');
        try (var files = Files.list(root.resolve(folder))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\w+Conformance\\.class"))
                    .map(name -> name.replace(".class", ""))
                    .collect(Collectors.toSet());
        }
    }
}
