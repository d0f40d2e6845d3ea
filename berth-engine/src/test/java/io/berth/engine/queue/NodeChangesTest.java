package io.berth.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Resources;
import io.berth.api.event.ClusterEvent;
import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.model.NodeBuilder;
import io.berth.api.model.NodeImage;
import io.berth.api.spec.Taint;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("E-72")
@Tag("G-9")
class NodeChangesTest {
    record Case(String what, Node before, Node after, List<String> events) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static Node node(UnaryOperator<NodeBuilder> change) {
        return change.apply(Node.builder("n")).build();
    }

    static List<Case> cases() {
        var plain = node(n -> n);
        var taint = new Taint("k", "v", Taint.NO_SCHEDULE);
        var more = new Resources(1, 0, 0, 0, Map.of());
        return List.of(
                new Case("nothing", plain, plain, List.of()),
                new Case("heartbeat", plain, node(n -> n.resourceVersion("2")), List.of()),
                new Case("cordoned", plain, node(n -> n.unschedulable(true)), List.of()),
                new Case(
                        "uncordoned",
                        node(n -> n.unschedulable(true)),
                        plain,
                        List.of("NodeUpdateNodeTaint")),
                new Case(
                        "allocatable",
                        plain,
                        node(n -> n.allocatable(more)),
                        List.of("NodeUpdateNodeAllocatable")),
                new Case(
                        "label",
                        plain,
                        node(n -> n.labels(Labels.of("a", "b"))),
                        List.of("NodeUpdateNodeLabel")),
                new Case("taint", plain, node(n -> n.taint(taint)), List.of("NodeUpdateNodeTaint")),
                new Case(
                        "condition",
                        node(n -> n.condition("Ready", "False")),
                        node(n -> n.condition("Ready", "True")),
                        List.of("NodeUpdateNodeCondition")),
                new Case(
                        "annotation",
                        plain,
                        node(n -> n.annotations(Labels.of("a", "b"))),
                        List.of("NodeUpdateNodeAnnotation")),
                new Case(
                        "declared feature",
                        plain,
                        node(n -> n.declaredFeature("f")),
                        List.of("NodeUpdateNodeDeclaredFeature")),
                new Case(
                        "image",
                        plain,
                        node(n -> n.image(new NodeImage(List.of("i"), 1))),
                        List.of()),
                new Case(
                        "all at once, in upstream's order",
                        node(n -> n.unschedulable(true)),
                        node(n ->
                                n.allocatable(more)
                                        .labels(Labels.of("a", "b"))
                                        .taint(taint)
                                        .condition("Ready", "True")
                                        .annotations(Labels.of("a", "b"))
                                        .declaredFeature("f")),
                        List.of(
                                "NodeUpdateNodeTaint",
                                "NodeUpdateNodeAllocatable",
                                "NodeUpdateNodeLabel",
                                "NodeUpdateNodeTaint",
                                "NodeUpdateNodeCondition",
                                "NodeUpdateNodeAnnotation",
                                "NodeUpdateNodeDeclaredFeature")));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void changeIsNamed(Case given) {
        assertThat(NodeChanges.between(given.before, given.after))
                .extracting(ClusterEvent::label)
                .isEqualTo(given.events);
    }
}
