package io.berth.kube.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.kube.codec.wire.JsonInput;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.testing.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The streaming reader agrees with the plain one on pods of every form.
class RandomPodTest {
    private static final int PODS = 3000;

    @Test
    void streamingAndTreeReadingAgree() throws Exception {
        var shared = new Shared();
        var reader = new ObjectReader(Kind.POD, false);
        for (int seed = 0; seed < PODS; seed++) {
            Map<String, ?> tree = new RandomPods(seed).next();
            byte[] json = Json.text(tree).getBytes(StandardCharsets.UTF_8);
            try (var in = new JsonInput(json, shared)) {
                in.nextValue();
                var pod = (Pod) Objects.requireNonNull(reader.read(in).object());
                var expected = TreePod.read(tree);
                String what = "seed %d: %s".formatted(seed, Json.text(tree));
                assertThat(pod.spec()).as(what).isEqualTo(expected.spec());
                assertThat(pod.resize()).as(what).isEqualTo(expected.resize());
                assertThat(pod).as(what).isEqualTo(expected);
                assertThat(in.nextValue()).as("seed %d ends", seed).isFalse();
            }
        }
    }
}
