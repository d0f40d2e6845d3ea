package io.berth.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("E-40")
class PodHeapTest {
    private static final PodHeap.Order BY_PRIORITY =
            (a, b) -> a.pod().spec().priority() > b.pod().spec().priority();

    private final PodHeap heap = new PodHeap(SubQueue.ACTIVE, BY_PRIORITY);

    private static QueuedPodInfo info(String name, int priority) {
        return new QueuedPodInfo(QueueBed.pod(name, priority), 0, 0);
    }

    @Test
    void equalPodsLeaveAsFromGosHeap() {
        for (String name : List.of("a", "b", "c")) {
            heap.add(info(name, 1));
        }

        assertThat(drain()).containsExactly("a", "c", "b");
    }

    @Test
    void emptyHeapHasNothingToPop() {
        assertThat(heap.peek()).isNull();
        assertThatThrownBy(heap::pop)
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage("heap is empty");
    }

    @Test
    void unknownPodIsNotRemoved() {
        heap.add(info("a", 1));

        assertThatThrownBy(() -> heap.remove(info("a", 1)))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage("object not found");
        assertThat(heap.size()).isOne();
    }

    @Test
    void podIsAddedOnce() {
        var a = info("a", 1);
        heap.add(a);

        assertThatThrownBy(() -> heap.add(a)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void podsBeforeAPodAreCountedUpToALimit() {
        var model = new ArrayList<QueuedPodInfo>();
        for (int i = 0; i < 500; i++) {
            var info = info("pod-" + i, i * 7919 % 100_003);
            heap.add(info);
            model.add(info);
        }
        model.sort(Comparator.comparingInt(info -> -info.pod().spec().priority()));
        for (int i = 0; i < model.size(); i++) {
            var first = new ArrayList<QueuedPodInfo>();
            assertThat(heap.before(model.get(i), 400, 3, first)).isEqualTo(i <= 400 ? i : -1);
            if (i <= 400) {
                assertThat(first).isEqualTo(model.subList(0, Math.min(i, 3)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void randomChangesKeepTheOrder(long seed) {
        var random = new Random(seed);
        var model = new ArrayList<QueuedPodInfo>();
        for (int step = 0; step < 2000; step++) {
            int choice = random.nextInt(10);
            if (choice < 5 || model.isEmpty()) {
                // Distinct priorities: the order of equal ones is open.
                var added = info("p" + step, random.nextInt(1000) * 2000 + step);
                heap.add(added);
                model.add(added);
            } else if (choice < 7) {
                var changed = model.get(random.nextInt(model.size()));
                changed.update(
                        QueueBed.pod(changed.pod().name(), random.nextInt(1000) * 2000 + step));
                heap.fix(changed);
            } else if (choice < 8) {
                var removed = model.remove(random.nextInt(model.size()));
                heap.remove(removed);
                assertThat(removed.subQueue()).isEqualTo(SubQueue.OUT);
            } else {
                model.sort(
                        Comparator.comparingInt((QueuedPodInfo i) -> i.pod().spec().priority())
                                .reversed());
                assertThat(heap.pop()).isSameAs(model.removeFirst());
            }
            assertThat(heap.size()).isEqualTo(model.size());
        }
    }

    private List<String> drain() {
        var names = new ArrayList<String>();
        while (!heap.isEmpty()) {
            names.add(heap.pop().pod().name());
        }
        return names;
    }
}
