package io.berth.kube.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.amount.Quantity;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.spec.Container;
import io.berth.api.spec.PodSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which pods an extender is asked about, and which objects are kept as JSON for it.
@Tag("E-144")
@Tag("P-100")
final class ExtenderInterestTest extends ExtenderFixture {
    @Nested
    @Tag("E-147")
    final class Interest {
        private boolean isInterested(Pod pod, String... managed) {
            var settings = managing(settings("http://127.0.0.1:1"), managed);
            try (var extenders = new HttpExtenders(List.of(settings))) {
                return extenders.all().getFirst().isInterested(pod);
            }
        }

        private static Container container(
                Map<String, Quantity> requests, Map<String, Quantity> limits) {
            return new Container("c", "i", requests, limits, List.of(), false);
        }

        private static Pod pod(PodSpec spec) {
            return Pod.builder("default", "p").spec(spec).build();
        }

        @Test
        void withoutManagedResourcesEveryPodIsOfInterest() {
            assertThat(isInterested(P)).isTrue();
        }

        @Test
        void requestOrLimitOfAnyContainerCounts() {
            var one = Map.of("example.com/foo", Quantity.parse("1"));
            var requesting = pod(PodSpec.builder().container(container(one, Map.of())).build());
            var limited = pod(PodSpec.builder().container(container(Map.of(), one)).build());
            var init = pod(PodSpec.builder().initContainer(container(one, Map.of())).build());
            for (var pod : List.of(requesting, limited, init)) {
                assertThat(isInterested(pod, "example.com/bar", "example.com/foo")).isTrue();
                assertThat(isInterested(pod, "example.com/bar")).isFalse();
            }
        }
    }

    @Nested
    final class Keeping {
        private static final String BOUND =
                "{\"metadata\":{\"name\":\"b\",\"uid\":\"u3\"},\"spec\":{\"nodeName\":\"a\"}}";

        private RawObjects kept(ExtenderSettings settings) {
            try (var extenders = new HttpExtenders(List.of(settings))) {
                see(extenders, Kind.POD, POD);
                see(extenders, Kind.POD, BOUND);
                see(extenders, Kind.NODE, "{\"metadata\":{\"name\":\"a\"}}");
                return (RawObjects) extenders.raw();
            }
        }

        @Test
        void onlyWhatSomeExtenderIsSentIsKept() {
            var all = settings("http://127.0.0.1:1");
            assertThat(kept(all).size()).isEqualTo(1);
            assertThat(kept(sendingNodes(all)).size()).isEqualTo(3);
            var binder =
                    new ExtenderSettings(
                            all.urlPrefix(),
                            "",
                            "",
                            "",
                            "bind",
                            0,
                            false,
                            all.tls(),
                            all.timeout(),
                            false,
                            Set.of(),
                            false);
            assertThat(kept(binder).size()).isZero();
        }

        @Test
        void podThatVanishedAMomentAgoIsStillFound() {
            var raw = kept(settings("http://127.0.0.1:1"));
            raw.gone(Kind.POD, "default/p", "u1");
            assertThat(raw.size()).isZero();
            assertThat(new String(raw.pod(P), StandardCharsets.UTF_8)).isEqualTo(POD);
            assertThatThrownBy(() -> raw.pod(Pod.builder("default", "p").uid("u9").build()))
                    .hasMessage(
                            "pod default/p is no longer there and cannot be sent to an extender");
        }
    }
}
