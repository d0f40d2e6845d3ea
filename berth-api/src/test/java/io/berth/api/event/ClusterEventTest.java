package io.berth.api.event;

import static io.berth.api.event.Action.ADD;
import static io.berth.api.event.Action.ALL;
import static io.berth.api.event.Action.DELETE;
import static io.berth.api.event.Action.UPDATE;
import static io.berth.api.event.Action.UPDATE_NODE_LABEL;
import static io.berth.api.event.Action.UPDATE_NODE_TAINT;
import static io.berth.api.event.Action.UPDATE_POD_LABEL;
import static io.berth.api.event.Action.UPDATE_POD_SCALE_DOWN;
import static io.berth.api.event.ClusterEvent.ANY;
import static io.berth.api.event.ClusterEvent.ASSIGNED_POD;
import static io.berth.api.event.ClusterEvent.NODE;
import static io.berth.api.event.ClusterEvent.PERSISTENT_VOLUME_CLAIM;
import static io.berth.api.event.ClusterEvent.POD;
import static io.berth.api.event.ClusterEvent.UNSCHEDULABLE_POD;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("E-52")
@Tag("G-8")
final class ClusterEventTest {
    @Test
    void masksAreThoseOfTheContract() {
        assertThat(ALL).isEqualTo(8191);
        assertThat(UPDATE).isEqualTo(8188);
    }

    @Test
    void labelIsResourceAndAction() {
        assertThat(ClusterEvent.of(NODE, UPDATE_NODE_TAINT).label())
                .isEqualTo("NodeUpdateNodeTaint");
        assertThat(ClusterEvent.of(ASSIGNED_POD, DELETE).label()).isEqualTo("AssignedPodDelete");
        assertThat(ClusterEvent.of("storage.k8s.io/CSINode", UPDATE).label())
                .isEqualTo("storage.k8s.io/CSINodeUpdate");
    }

    static Stream<Arguments> cases() {
        return Stream.of(
                Arguments.of(NODE, UPDATE_NODE_LABEL, NODE, ADD | UPDATE_NODE_LABEL, true),
                Arguments.of(NODE, UPDATE_NODE_TAINT, NODE, ADD | UPDATE_NODE_LABEL, false),
                Arguments.of(ASSIGNED_POD, UPDATE, POD, UPDATE_POD_LABEL, false),
                Arguments.of(ASSIGNED_POD, UPDATE, POD, UPDATE, true),
                Arguments.of(ASSIGNED_POD, UPDATE_POD_LABEL, POD, UPDATE, true),
                Arguments.of(ASSIGNED_POD, DELETE, POD, DELETE | UPDATE_POD_SCALE_DOWN, true),
                Arguments.of(
                        PERSISTENT_VOLUME_CLAIM,
                        UPDATE,
                        PERSISTENT_VOLUME_CLAIM,
                        ADD | UPDATE,
                        true),
                Arguments.of(PERSISTENT_VOLUME_CLAIM, ADD, PERSISTENT_VOLUME_CLAIM, UPDATE, false),
                Arguments.of(UNSCHEDULABLE_POD, ADD, POD, ADD, true),
                Arguments.of(POD, ADD, ASSIGNED_POD, ADD, false),
                Arguments.of(NODE, ADD, POD, ALL, false),
                Arguments.of(NODE, ADD, ANY, ADD, true),
                Arguments.of(NODE, DELETE, ANY, ADD, false),
                Arguments.of(NODE, UPDATE, ANY, ALL, true));
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Tag("E-53")
    @Tag("E-190")
    void registrationHearsOfWhatItCovers(
            String incoming, int action, String registered, int actions, boolean hears) {
        assertThat(ClusterEvent.of(registered, actions).matches(ClusterEvent.of(incoming, action)))
                .isEqualTo(hears);
    }

    @Test
    @Tag("E-53")
    void wildcardHearsOfEverything() {
        var wildcard = ClusterEvent.of(ANY, ALL);
        assertThat(wildcard.isWildcard()).isTrue();
        assertThat(wildcard.matches(ClusterEvent.UNSCHEDULABLE_TIMEOUT)).isTrue();
        assertThat(wildcard.matches(ClusterEvent.of(NODE, ADD))).isTrue();
        assertThat(ClusterEvent.of(ANY, UPDATE).isWildcard()).isFalse();
        assertThat(ClusterEvent.UNSCHEDULABLE_TIMEOUT.label()).isEqualTo("UnschedulableTimeout");
        assertThat(ClusterEvent.FORCE_ACTIVATE.label()).isEqualTo("ForceActivate");
    }
}
