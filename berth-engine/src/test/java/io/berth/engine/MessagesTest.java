package io.berth.engine;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.engine.journal.RingJournal;
import io.berth.engine.port.ClusterFeed;
import io.berth.engine.port.FanOut;
import io.berth.testkit.InMemoryMetrics;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the engine is told, and who else hears it.
final class MessagesTest {
    private static final String MESSAGES = "berth_engine_message_duration_seconds";

    @Test
    void messagesAreCountedByTheirSorts() {
        var metrics = new InMemoryMetrics();
        var bed = Bed.withPorts(ports -> ports.meteredBy(metrics, metrics));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        bed.engine().gone(Kind.POD, "default", "p");
        var _ = bed.engine().ask(queries -> queries.pods());
        bed.stepOnly();

        assertThat(metrics.value(MESSAGES, "Seen")).isEqualTo(3);
        assertThat(metrics.value(MESSAGES, "Gone")).isEqualTo(1);
        assertThat(metrics.value(MESSAGES, "Bound")).isEqualTo(1);
        assertThat(metrics.value(MESSAGES, "Ask")).isEqualTo(1);
    }

    @Test
    void lastDecisionsOfTheJournalAreDumped() {
        var journal = new RingJournal(100);
        var bed = Bed.withPorts(ports -> ports.withJournal(journal));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        bed.engine().debug();
        bed.stepOnly();

        assertThat(bed.log.detail("Dump of the journal"))
                .contains("lastDecisions=1 default/p on a, 1 of 1 nodes feasible");
    }

    @Test
    void everybodyHearsTheSameInTheSameOrder() {
        var early = new Names();
        var late = new Names();
        var feed = new FanOut(early);
        feed.seen(node("a").build());
        feed.join(late);
        feed.seen(node("b").build());
        feed.gone(Kind.NODE, "", "a");
        feed.leave(late);
        feed.synced(Kind.NODE);

        assertThat(early.heard).containsExactly("a", "b", "-a", "nodes.v1.");
        assertThat(late.heard).containsExactly("b", "-a");
    }

    private static final class Names implements ClusterFeed {
        private final List<String> heard = new ArrayList<>();

        @Override
        public void seen(ClusterObject object) {
            heard.add(object.name());
        }

        @Override
        public void gone(Kind kind, String namespace, String name) {
            heard.add("-" + name);
        }

        @Override
        public void synced(Kind kind) {
            heard.add(kind.toString());
        }
    }
}
