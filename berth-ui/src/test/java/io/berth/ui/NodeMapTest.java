package io.berth.ui;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.ClusterObject;
import io.berth.engine.port.ClusterImage;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NodeMapTest {
    private static ClusterImage image(ClusterObject... objects) {
        return ClusterImage.of(List.of(objects));
    }

    private static final ClusterObject EAST = node("n-10").zone("east").cpu("4").build();
    private static final ClusterObject WEST = node("n-9").zone("west").cpu("4").build();

    @Test
    void tellsHowFullNodesAreAndWhereTheyStand() {
        var map =
                NodeMap.empty()
                        .next(image(EAST, WEST, pod("p").uid("p").cpu("1").onNode("n-9").build()));
        assertThat(map.names).containsExactly("n-9", "n-10");
        assertThat(map.cpu).containsExactly((byte) 25, (byte) 0);
        assertThat(map.zones.get(map.zone[0])).isEqualTo("west");
        assertThat(map.slot("n-10")).isEqualTo(1);
    }

    @Test
    void whatDoesNotChangeIsTheSameMap() {
        var map = NodeMap.empty().next(image(EAST, WEST));
        assertThat(map.next(image(WEST, EAST))).isSameAs(map);
    }

    @Test
    void aChangeMarksItsSlotAlone() {
        var map = NodeMap.empty().next(image(EAST, WEST));
        var later = map.next(image(EAST, WEST, pod("p").uid("p").cpu("3").onNode("n-10").build()));
        assertThat(later.generation).isEqualTo(map.generation);
        assertThat(later.version).isEqualTo(map.version + 1);
        assertThat(later.changed[0]).isEqualTo(map.version);
        assertThat(later.changed[1]).isEqualTo(later.version);
        assertThat(later.cpu[1]).isEqualTo((byte) 75);
    }

    @Test
    void aNodeThatComesOrMovesIsANewGeneration() {
        var map = NodeMap.empty().next(image(EAST));
        var more = map.next(image(EAST, WEST));
        assertThat(more.generation).isEqualTo(map.generation + 1);
        var moved = more.next(image(EAST, node("n-9").zone("south").cpu("4").build()));
        assertThat(moved.generation).isEqualTo(more.generation + 1);
    }
}
