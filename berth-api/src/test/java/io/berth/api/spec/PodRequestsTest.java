package io.berth.api.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.amount.Resources;
import io.berth.api.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class PodRequestsTest {
    private static final long MEBIBYTE = 1024 * 1024;

    private static Map<String, Quantity> amounts(String... namesAndAmounts) {
        var result = new HashMap<String, Quantity>();
        for (int i = 0; i < namesAndAmounts.length; i += 2) {
            result.put(namesAndAmounts[i], Quantity.parse(namesAndAmounts[i + 1]));
        }
        return result;
    }

    private static Container app(String... requests) {
        return Container.of("app", "image", amounts(requests));
    }

    private static Container sidecar(String... requests) {
        return new Container("sidecar", "image", amounts(requests), Map.of(), List.of(), true);
    }

    private static PodRequests requests(PodSpecBuilder spec) {
        return spec.build().requests();
    }

    @Nested
    @Tag("E-9")
    @Tag("H-3")
    final class Adding {
        @Test
        void containersAddUp() {
            var total =
                    requests(
                                    PodSpec.builder()
                                            .container(app("cpu", "100m", "memory", "1Mi"))
                                            .container(app("cpu", "50m", "example.com/gpu", "2")))
                            .exact();
            assertThat(total.cpuMillis()).isEqualTo(150);
            assertThat(total.memoryBytes()).isEqualTo(MEBIBYTE);
            assertThat(total.scalar("example.com/gpu")).isEqualTo(2);
        }

        @Test
        void fractionsAddUpBeforeTheyAreRounded() {
            var spec =
                    PodSpec.builder().container(app("cpu", "0.4m")).container(app("cpu", "0.4m"));
            assertThat(requests(spec).exact().cpuMillis()).isEqualTo(1);
        }

        @Test
        @Tag("E-188")
        void initContainersPeakBesideTheSidecarsStartedSoFar() {
            var spec =
                    PodSpec.builder()
                            .container(app("cpu", "100m"))
                            .initContainer(sidecar("cpu", "50m"))
                            .initContainer(app("cpu", "200m"))
                            .initContainer(sidecar("cpu", "30m"));
            assertThat(requests(spec).exact().cpuMillis()).isEqualTo(250);
            spec.overhead("cpu", Quantity.parse("5m"));
            assertThat(requests(spec).exact().cpuMillis()).isEqualTo(255);
        }

        @Test
        void peakCountsPerResource() {
            var total =
                    requests(
                                    PodSpec.builder()
                                            .container(app("cpu", "1", "memory", "1Mi"))
                                            .initContainer(app("cpu", "500m", "memory", "3Mi")))
                            .exact();
            assertThat(total.cpuMillis()).isEqualTo(1000);
            assertThat(total.memoryBytes()).isEqualTo(3 * MEBIBYTE);
        }

        @Test
        void podLevelReplacesWhatItNames() {
            var total =
                    requests(
                                    PodSpec.builder()
                                            .container(
                                                    app(
                                                            "cpu",
                                                            "4",
                                                            "memory",
                                                            "1Mi",
                                                            "ephemeral-storage",
                                                            "7"))
                                            .podLevelRequests(
                                                    amounts(
                                                            "cpu",
                                                            "2",
                                                            "hugepages-2Mi",
                                                            "4Mi",
                                                            "ephemeral-storage",
                                                            "99"))
                                            .overhead("cpu", Quantity.parse("100m")))
                            .exact();
            assertThat(total.cpuMillis()).isEqualTo(2100);
            assertThat(total.memoryBytes()).isEqualTo(MEBIBYTE);
            assertThat(total.scalar("hugepages-2Mi")).isEqualTo(4 * MEBIBYTE);
            // Not a name that the pod level may use.
            assertThat(total.ephemeralBytes()).isEqualTo(7);
        }
    }

    @Nested
    @Tag("E-9")
    @Tag("H-4")
    final class Resizing {
        private final PodSpec spec =
                PodSpec.builder()
                        .container(app("cpu", "200m"))
                        .initContainer(sidecar("cpu", "10m"))
                        .build();

        private static ResizeStatus.Given given(String inEffect, String setAside) {
            return new ResizeStatus.Given(amounts("cpu", inEffect), amounts("cpu", setAside));
        }

        @Test
        void largestOfWishInEffectAndSetAsideCounts() {
            var status = new ResizeStatus(Map.of("app", given("100m", "300m")), null, false);
            assertThat(PodRequests.of(spec, status).exact().cpuMillis()).isEqualTo(310);
            status = new ResizeStatus(Map.of("app", given("100m", "150m")), null, false);
            assertThat(PodRequests.of(spec, status).exact().cpuMillis()).isEqualTo(210);
        }

        @Test
        void wishThatTheNodeRefusedDoesNotCount() {
            var status = new ResizeStatus(Map.of("app", given("100m", "150m")), null, true);
            assertThat(PodRequests.of(spec, status).exact().cpuMillis()).isEqualTo(160);
        }

        @Test
        void sidecarsCountLikewise() {
            var status = new ResizeStatus(Map.of("sidecar", given("40m", "20m")), null, false);
            assertThat(PodRequests.of(spec, status).exact().cpuMillis()).isEqualTo(240);
        }

        @Test
        void podLevelCountsLikewise() {
            var leveled =
                    PodSpec.builder()
                            .container(app("cpu", "200m"))
                            .podLevelRequests(amounts("cpu", "1"))
                            .build();
            var status = new ResizeStatus(Map.of(), given("3", "2"), false);
            assertThat(PodRequests.of(leveled, status).exact().cpuMillis()).isEqualTo(3000);
            status = new ResizeStatus(Map.of(), given("500m", "400m"), true);
            assertThat(PodRequests.of(leveled, status).exact().cpuMillis()).isEqualTo(500);
        }

        @Test
        void podLevelCountsTheNamesOfTheSpecAlone() {
            var leveled =
                    PodSpec.builder()
                            .container(app("memory", "4Mi"))
                            .podLevelRequests(amounts("cpu", "1"))
                            .build();
            var given = new ResizeStatus.Given(amounts("memory", "9Mi"), amounts("memory", "9Mi"));
            var pending = PodRequests.of(leveled, new ResizeStatus(Map.of(), given, false)).exact();
            assertThat(pending.cpuMillis()).isEqualTo(1000);
            assertThat(pending.memoryBytes()).isEqualTo(4 * MEBIBYTE);
            var refused = PodRequests.of(leveled, new ResizeStatus(Map.of(), given, true)).exact();
            assertThat(refused.cpuMillis()).isZero();
        }

        @Test
        void podCountsWithItsResizeAndItsSpecWithout() {
            var pod =
                    Pod.builder("default", "p")
                            .spec(spec)
                            .resize(new ResizeStatus(Map.of("app", given("1", "1")), null, false))
                            .build();
            assertThat(pod.requests().exact().cpuMillis()).isEqualTo(1010);
            assertThat(pod.spec().requests().exact().cpuMillis()).isEqualTo(210);
        }
    }

    @Nested
    @Tag("E-10")
    @Tag("H-5")
    final class NonZero {
        @Test
        @Tag("E-188")
        void containersWithoutRequestsCountAsSmall() {
            var requests = requests(PodSpec.builder().container(app()).initContainer(app()));
            assertThat(requests.exact().cpuMillis()).isZero();
            assertThat(requests.exact().memoryBytes()).isZero();
            assertThat(requests.nonZeroCpuMillis()).isEqualTo(100);
            assertThat(requests.nonZeroMemoryBytes()).isEqualTo(200 * MEBIBYTE);
        }

        @Test
        @Tag("E-188")
        void explicitZeroStaysZero() {
            var requests = requests(PodSpec.builder().container(app("cpu", "0")).container(app()));
            assertThat(requests.nonZeroCpuMillis()).isEqualTo(100);
            assertThat(requests.nonZeroMemoryBytes()).isEqualTo(400 * MEBIBYTE);
        }

        @Test
        @Tag("E-2")
        void plainInitContainerWithoutRequestsCanBeThePeak() {
            var requests =
                    requests(
                            PodSpec.builder()
                                    .container(app("cpu", "10m", "memory", "1Mi"))
                                    .initContainer(app()));
            assertThat(requests.nonZeroCpuMillis()).isEqualTo(100);
            assertThat(requests.nonZeroMemoryBytes()).isEqualTo(209_715_200);
        }

        @Test
        void withPodLevelOnlyWhatIsMissingInTheEndIsFilledIn() {
            var cpuOnly =
                    requests(
                            PodSpec.builder()
                                    .container(app())
                                    .container(app())
                                    .podLevelRequests(amounts("cpu", "2")));
            assertThat(cpuOnly.nonZeroCpuMillis()).isEqualTo(2000);
            // For each container, as without the pod level.
            assertThat(cpuOnly.nonZeroMemoryBytes()).isEqualTo(400 * MEBIBYTE);
            var both =
                    requests(
                            PodSpec.builder()
                                    .container(app("memory", "3Mi"))
                                    .container(app())
                                    .podLevelRequests(amounts("cpu", "2")));
            assertThat(both.nonZeroMemoryBytes()).isEqualTo(3 * MEBIBYTE);
        }
    }

    @Nested
    @Tag("E-8")
    @Tag("H-2")
    final class Names {
        @Test
        void knownNamesHaveTheirFieldsAndRoundUp() {
            var resources =
                    Resources.of(
                            amounts(
                                    "cpu",
                                    "0.0001",
                                    "memory",
                                    "1.5",
                                    "ephemeral-storage",
                                    "2500m",
                                    "pods",
                                    "110"));
            assertThat(resources).isEqualTo(new Resources(1, 2, 3, 110, Map.of()));
        }

        @Test
        void scalarsAreKeptAndOthersDropped() {
            var resources =
                    Resources.of(
                            amounts(
                                    "example.com/gpu",
                                    "1",
                                    "hugepages-1Gi",
                                    "2",
                                    "kubernetes.io/batch",
                                    "3",
                                    "node.kubernetes.io/x",
                                    "4",
                                    "attachable-volumes-aws",
                                    "5",
                                    "gpu",
                                    "6",
                                    "requests.example.com/gpu",
                                    "7",
                                    "bad name/gpu",
                                    "8",
                                    "example.com/",
                                    "9",
                                    "a/b/c",
                                    "10"));
            assertThat(resources.scalars())
                    .containsOnly(
                            Map.entry("example.com/gpu", 1L),
                            Map.entry("hugepages-1Gi", 2L),
                            Map.entry("kubernetes.io/batch", 3L),
                            Map.entry("node.kubernetes.io/x", 4L),
                            Map.entry("attachable-volumes-aws", 5L));
        }

        @Test
        void amountIsFoundByAnyName() {
            var resources = new Resources(1, 2, 3, 4, Map.of("example.com/gpu", 5L));
            assertThat(
                            List.of(
                                            "cpu",
                                            "memory",
                                            "ephemeral-storage",
                                            "pods",
                                            "example.com/gpu",
                                            "x")
                                    .stream()
                                    .map(resources::amount))
                    .containsExactly(1L, 2L, 3L, 4L, 5L, 0L);
        }
    }
}
