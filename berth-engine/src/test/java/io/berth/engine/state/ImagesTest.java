package io.berth.engine.state;

import static io.berth.engine.state.StateFixtures.image;
import static io.berth.engine.state.StateFixtures.nodeWithImages;
import static io.berth.engine.state.StateFixtures.pod;
import static io.berth.engine.state.StateFixtures.state;
import static io.berth.engine.state.StateFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeView.ImageState;
import io.berth.api.model.NodeImage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E-18")
class ImagesTest {
    private final ClusterState state = state();

    @AfterEach
    void stateEqualsRecount() {
        assertThat(state.recount()).isEmpty();
    }

    @Test
    void sizeIsTheOneOfTheFirstNodeSeen() {
        state.addNode(nodeWithImages("a", image("x", 10)));
        state.addNode(nodeWithImages("b", image("x", 20)));
        state.refresh();

        assertThat(images("a")).containsExactly(Map.entry("x", new ImageState(10, 2)));
        assertThat(images("b")).containsExactly(Map.entry("x", new ImageState(10, 2)));
    }

    @Test
    void lastHolderBringsItsOwnSizeWithItsNextUpdate() {
        var b = nodeWithImages("b", image("x", 20), image("y", 5));
        state.addNode(nodeWithImages("a", image("x", 10)));
        state.addNode(b);
        state.removeNode(nodeWithImages("a"));
        assertThat(images("b")).containsEntry("x", new ImageState(10, 2));

        state.updateNode(b.toBuilder().resourceVersion("2").build());
        assertThat(images("b")).containsEntry("x", new ImageState(20, 1));
    }

    @Test
    void imageLeavesWithItsLastNode() {
        state.addNode(nodeWithImages("a", image("x", 10)));
        state.updateNode(nodeWithImages("a", image("y", 1)));
        state.addNode(nodeWithImages("b", image("x", 20)));
        state.refresh();

        assertThat(images("a")).containsExactly(Map.entry("y", new ImageState(1, 1)));
        assertThat(images("b")).containsExactly(Map.entry("x", new ImageState(20, 1)));
        assertThat(images("b").get("y")).isNull();
        assertThat(images("b").get("unheard-of")).isNull();
    }

    @Test
    void nameListedTwiceCountsOnceWithTheFirstSize() {
        var a = nodeWithImages("a", new NodeImage(List.of("x", "alias", "x"), 10), image("x", 20));
        state.addNode(a);
        state.refresh();
        assertThat(images("a"))
                .containsOnly(
                        Map.entry("x", new ImageState(10, 1)),
                        Map.entry("alias", new ImageState(10, 1)));

        state.updateNode(a.toBuilder().resourceVersion("2").build());
        assertThat(images("a")).hasSize(2).containsEntry("x", new ImageState(10, 1));
    }

    /// The simulator found it: a driver's news about volumes are none of the node itself, and
    /// upstream does not copy the node for them.
    @Test
    @Tag("E-182")
    void nodeOfWhichOnlyAPluginHasNewsKeepsItsStaleCount() {
        state.addNode(nodeWithImages("a", image("x", 10)));
        state.refresh();
        state.addNode(nodeWithImages("b", image("x", 10)));
        state.changes().told(view(state, "a").slot());
        state.refresh();

        assertThat(images("a").get("x")).isEqualTo(new ImageState(10, 1));
        assertThat(images("b").get("x")).isEqualTo(new ImageState(10, 2));
    }

    @Test
    @Tag("E-182")
    void nodeThatDidNotChangeKeepsItsStaleCount() {
        state.addNode(nodeWithImages("a", image("x", 10)));
        state.refresh();
        state.addNode(nodeWithImages("b", image("x", 10)));
        state.refresh();

        assertThat(images("a").get("x")).isEqualTo(new ImageState(10, 1));
        assertThat(images("b").get("x")).isEqualTo(new ImageState(10, 2));

        long before = state.changes().version();
        state.addPod(pod("p", "a"));
        state.refresh();
        assertThat(images("a").get("x")).isEqualTo(new ImageState(10, 2));
        assertThat(state.changes().changed(view(state, "a").slot(), Changes.NODE, before))
                .as("what the node shows of images has changed")
                .isTrue();
    }

    @Test
    @Tag("E-32")
    void countsAreTakenAtTheBeginningOfAnAttemptNotAtTheChange() {
        state.addNode(nodeWithImages("a", image("x", 10)));
        state.addNode(nodeWithImages("b", image("x", 10)));
        assertThat(images("a").get("x")).isEqualTo(new ImageState(10, 1));

        state.refresh();
        assertThat(images("a").get("x")).isEqualTo(new ImageState(10, 2));
    }

    @Test
    void refreshWithoutChangesIsSilent() {
        state.addNode(nodeWithImages("a", image("x", 10)));
        state.refresh();
        long before = state.changes().version();
        state.refresh();

        assertThat(state.changes().version()).isEqualTo(before);
    }

    private Map<String, ImageState> images(String node) {
        return view(state, node).images();
    }
}
