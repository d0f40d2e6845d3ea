package io.berth.engine.framework;

import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class CycleStateTest {
    private static final class Counter implements Cycle.Note {
        private int count;

        @Override
        public Counter copy() {
            var copy = new Counter();
            copy.count = count;
            return copy;
        }
    }

    private static final Cycle.Key<Counter> KEY = new Cycle.Key<>(Counter.class);

    private final CycleState state = new CycleState();

    @Test
    @Tag("E-20")
    void noteIsFoundByItsKeyAlone() {
        var note = new Counter();
        state.put(KEY, note);
        assertThat(state.read(KEY)).isSameAs(note);
        assertThat(state.find(new Cycle.Key<>(Counter.class))).isNull();
    }

    @Test
    @Tag("E-20")
    void absentNoteIsToldInUpstreamsWords() {
        assertThat(state.find(KEY)).isNull();
        assertThatThrownBy(() -> state.read(KEY)).hasMessage("not found");
    }

    @Test
    @Tag("E-20")
    void laterNoteReplacesTheEarlierOne() {
        state.put(KEY, new Counter());
        var second = new Counter();
        state.put(KEY, second);
        assertThat(state.read(KEY)).isSameAs(second);
    }

    @Test
    @Tag("E-20")
    void manyNotesAreKept() {
        var keys = new ArrayList<Cycle.Key<Counter>>();
        for (int i = 0; i < 40; i++) {
            var key = new Cycle.Key<>(Counter.class);
            keys.add(key);
            var note = new Counter();
            note.count = i;
            state.put(key, note);
        }
        for (int i = 0; i < 40; i++) {
            assertThat(state.read(keys.get(i)).count).isEqualTo(i);
        }
    }

    @Test
    @Tag("E-20")
    void copysNotesChangeAlone() {
        state.put(KEY, new Counter());
        var copy = state.copy();
        copy.read(KEY).count = 5;
        copy.put(new Cycle.Key<>(Counter.class), new Counter());
        assertThat(state.read(KEY).count).isZero();
        assertThat(copy.read(KEY).count).isEqualTo(5);
    }

    @Test
    @Tag("E-21")
    void podsToActivateAreTakenOnceAndSharedByCopies() {
        var copy = state.copy();
        copy.activateLater(pod("p").build());
        copy.activateLater(pod("p").build());
        copy.activateLater(pod("q").build());
        assertThat(state.takePodsToActivate()).extracting(Pod::name).containsExactly("p", "q");
        assertThat(state.takePodsToActivate()).isEmpty();
        assertThat(copy.takePodsToActivate()).isEmpty();
    }
}
