package io.berth.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClusterPictureTest {
    private final List<String> told = new ArrayList<>();
    private final ClusterPicture picture =
            new ClusterPicture(Instant.now(), happening -> told.add(happening.text()));

    @Test
    void placementIsToldOnce() {
        Pod pod = Pod.builder("demo", "web-1").uid("u1").build();
        picture.seen(pod);
        picture.seen(pod.onNode("node-5"));
        picture.seen(pod.onNode("node-5").toBuilder().phase("Running").build());
        assertThat(told).containsExactly("demo/web-1 -> node-5");
        assertThat(picture.snapshot().counts().placed()).isEqualTo(1);
        assertThat(picture.snapshot().counts().running()).isEqualTo(1);
    }

    @Test
    void podOfTheSameNameIsAnotherPlacement() {
        picture.seen(Pod.builder("demo", "a").uid("u1").build().onNode("n1"));
        picture.seen(Pod.builder("demo", "a").uid("u2").build().onNode("n2"));
        assertThat(told).containsExactly("demo/a -> n1", "demo/a -> n2");
    }

    @Test
    void reasonIsToldWhenItChanges() {
        picture.seen(refused("0/1 nodes"));
        picture.seen(refused("0/1 nodes"));
        picture.seen(refused("0/2 nodes"));
        assertThat(told)
                .containsExactly(
                        "demo/big stays pending: 0/1 nodes", "demo/big stays pending: 0/2 nodes");
        assertThat(picture.snapshot().pending())
                .containsExactly(new Snapshot.PendingPod("demo/big", "0/2 nodes"));
    }

    @Test
    void podThatIsGoneIsForgotten() {
        picture.seen(refused("0/1 nodes"));
        picture.gone(Kind.POD, "demo", "big");
        assertThat(picture.snapshot().counts().pods()).isZero();
    }

    @Test
    void namesWithNumbersAreInNaturalOrder() {
        assertThat(
                        Stream.of("node-10", "node-2", "a", "node-1", "node", "node-02")
                                .sorted(ClusterPicture::compareNatural))
                .containsExactly("a", "node", "node-1", "node-2", "node-02", "node-10");
    }

    private static Pod refused(String message) {
        return Pod.builder("demo", "big")
                .uid("u1")
                .condition(
                        PodCondition.of(
                                PodCondition.POD_SCHEDULED,
                                "False",
                                PodCondition.UNSCHEDULABLE,
                                message))
                .build();
    }
}
