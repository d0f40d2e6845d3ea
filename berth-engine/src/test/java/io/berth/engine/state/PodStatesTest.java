package io.berth.engine.state;

import static io.berth.engine.state.StateFixtures.node;
import static io.berth.engine.state.StateFixtures.pod;
import static io.berth.engine.state.StateFixtures.podNames;
import static io.berth.engine.state.StateFixtures.state;
import static io.berth.engine.state.StateFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.model.Pod;
import io.berth.testkit.NotedLog;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E-24")
class PodStatesTest {
    private static final String POD = "pod default/p(default/p)";

    private final ClusterState state = state();
    private final Pod onA = pod("p", "a");
    private final Pod onB = pod("p", "b");

    @BeforeEach
    void twoNodes() {
        state.addNode(node("a"));
        state.addNode(node("b"));
    }

    @AfterEach
    void stateEqualsRecount() {
        assertThat(state.recount()).isEmpty();
    }

    @Nested
    class AnAbsentPod {
        @Test
        void isAssumed() {
            state.assumePod(onA);

            assertThat(state.isAssumed(onA.uid())).isTrue();
            assertThat(state.podOf(onA.uid())).isSameAs(onA);
            assertThat(view(state, "a").pods()).containsExactly(onA);
            assertThat(state.assumedCount()).isEqualTo(1);
        }

        @Test
        void isAdded() {
            state.addPod(onA);

            assertThat(state.isAssumed(onA.uid())).isFalse();
            assertThat(state.held(onA)).isSameAs(onA);
            assertThat(state.podCount()).isEqualTo(1);
        }

        @Test
        void isNotUpdated() {
            refused(
                    () -> state.updatePod(onA, onA),
                    POD + " is not added to scheduler cache, so cannot be updated");
        }

        @Test
        void isNotRemoved() {
            refused(
                    () -> state.removePod(onA),
                    POD + " is not found in scheduler cache, so cannot be removed from it");
        }

        @Test
        void isForgottenWithoutError() {
            state.forgetPod(onA);

            assertThat(state.podCount()).isZero();
        }

        @Test
        void isNotHeld() {
            refused(() -> state.held(onA), POD + " does not exist in scheduler cache");
            assertThat(state.podOf(onA.uid())).isNull();
        }

        @Test
        void needsANode() {
            assertThatThrownBy(() -> state.addPod(pod("p", "")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(POD + " has no node");
        }
    }

    @Nested
    class AnAssumedPod {
        @BeforeEach
        void assume() {
            state.assumePod(onA);
        }

        @Test
        void isNotAssumedAgain() {
            refused(() -> state.assumePod(onA), POD + " is in the cache, so can't be assumed");
        }

        @Test
        void isConfirmedByTheInformersCopy() {
            var seen = onA.toBuilder().resourceVersion("7").build();

            state.addPod(seen);

            assertThat(state.isAssumed(onA.uid())).isFalse();
            assertThat(view(state, "a").pods()).containsExactly(seen);
            assertThat(state.podOf(onA.uid())).isSameAs(seen);
        }

        @Test
        void followsTheInformerToAnotherNode() {
            state.addPod(onB);

            assertThat(view(state, "a").pods()).isEmpty();
            assertThat(view(state, "b").pods()).containsExactly(onB);
            assertThat(state.isAssumed(onA.uid())).isFalse();
        }

        @Test
        void isNotUpdated() {
            refused(() -> state.updatePod(onA, onA), "assumed " + POD + " should not be updated");
        }

        @Test
        void isRemoved() {
            assertThat(state.removePod(onA)).isSameAs(onA);

            assertThat(state.podCount()).isZero();
            assertThat(state.assumedCount()).isZero();
        }

        @Test
        void isForgotten() {
            state.forgetPod(onA);

            assertThat(state.podCount()).isZero();
            assertThat(state.isAssumed(onA.uid())).isFalse();
            assertThat(view(state, "a").pods()).isEmpty();
        }

        @Test
        void isNotForgottenOnAnotherNode() {
            refused(() -> state.forgetPod(onB), POD + " was assumed on b but assigned to a");
        }

        @Test
        @Tag("E-25")
        void staysUntilSomebodySaysOtherwise() {
            for (int i = 0; i < 100; i++) {
                state.refresh();
            }

            assertThat(state.isAssumed(onA.uid())).isTrue();
        }
    }

    @Nested
    class AnAddedPod {
        @BeforeEach
        void add() {
            state.addPod(onA);
        }

        @Test
        void isNotAddedAgain() {
            refused(() -> state.addPod(onA), POD + " was already in added state");
        }

        @Test
        void isNotAssumed() {
            refused(() -> state.assumePod(onA), POD + " is in the cache, so can't be assumed");
        }

        @Test
        void isNotForgotten() {
            refused(() -> state.forgetPod(onA), POD + " wasn't assumed so cannot be forgotten");
        }

        @Test
        @Tag("E-14")
        void movesToTheEndOfTheListWhenUpdated() {
            state.addPod(pod("q", "a"));
            state.addPod(pod("r", "a"));

            state.updatePod(onA, onA.toBuilder().resourceVersion("2").build());

            assertThat(podNames(view(state, "a").pods())).containsExactly("r", "q", "p");
        }

        @Test
        @Tag("E-28")
        void doesNotMoveByAnUpdate() {
            assertThatThrownBy(() -> state.updatePod(onA, onB))
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessage(
                            "Pod updated on a different node than previously added to. Scheduler"
                                    + " cache is corrupted and can badly affect scheduling"
                                    + " decisions");
        }

        @Test
        @Tag("E-28")
        void isNotRemovedFromAnotherNode() {
            assertThatThrownBy(() -> state.removePod(onB))
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessage(
                            "Scheduler cache is corrupted and can badly affect scheduling"
                                    + " decisions");
        }

        @Test
        @Tag("E-28")
        void isRemovedWhenItsNodeWasMissed() {
            assertThat(state.removePod(pod("p", ""))).isSameAs(onA);

            assertThat(state.podCount()).isZero();
        }
    }

    @Test
    @Tag("E-19")
    void podWithoutUidIsRefusedEverywhere() {
        var nameless = onA.toBuilder().uid("").build();

        List<ThrowingCallable> calls =
                List.of(
                        () -> state.addPod(nameless),
                        () -> state.updatePod(nameless, nameless),
                        () -> state.removePod(nameless),
                        () -> state.assumePod(nameless),
                        () -> state.forgetPod(nameless),
                        () -> state.held(nameless));
        for (var call : calls) {
            refused(call, "cannot get cache key for pod with empty UID");
        }
    }

    @Test
    void surpriseOfAnotherNodeIsLogged() {
        var log = new NotedLog();
        var logging = new ClusterState(log);
        logging.assumePod(onA);
        logging.addPod(onB);

        assertThat(log.infos())
                .containsExactly(
                        "Pod was added to a different node than it was assumed [podKey, default/p,"
                                + " pod, default/p, assumedNode, a, currentNode, b]");
    }

    private static void refused(ThrowingCallable call, String text) {
        assertThatThrownBy(call).isInstanceOf(StateException.class).hasMessage(text);
    }
}
