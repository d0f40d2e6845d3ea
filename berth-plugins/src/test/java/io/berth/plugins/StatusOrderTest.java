package io.berth.plugins;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.PodCondition;
import io.berth.api.spec.PodSpec;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.port.Ports;
import io.berth.engine.port.Tasks;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A pod that fails twice and is then placed, while the API server takes its time with what was
/// said of the failures. The binding overtook them, and the bound pod ended as unschedulable.
@Tag("E-108")
class StatusOrderTest {
    private final PickedTasks tasks = new PickedTasks();
    private final TestScheduler scheduler =
            TestScheduler.with(
                    InTree.factories(),
                    settings -> settings,
                    this::withTasks,
                    ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults()));

    private Ports withTasks(Ports ports) {
        return new Ports(
                ports.time(),
                ports.seed(),
                tasks,
                ports.workers(),
                ports.writes(),
                ports.recorder(),
                ports.metrics(),
                ports.queueMetrics(),
                ports.log());
    }

    /// Runs in the order that a test wants.
    private static final class PickedTasks implements Tasks {
        private record Task(String name, Runnable body) {}

        private final List<Task> waiting = new ArrayList<>();

        @Override
        public void start(String name, Runnable task) {
            waiting.add(new Task(name, task));
        }

        boolean run(String prefix) {
            for (var task : waiting) {
                if (task.name.startsWith(prefix)) {
                    waiting.remove(task);
                    task.body.run();
                    return true;
                }
            }
            return false;
        }
    }

    private void step() {
        int most = 1000;
        while (most-- > 0 && scheduler.engine().step()) {
            // Until there is nothing to do.
        }
    }

    @Test
    void theStatusOfABoundPodSaysSo() {
        scheduler.add(node("small").cpu("1").build());
        scheduler.create(pod("web").cpu("2").build());
        step();
        scheduler.add(node("small2").cpu("1").build());
        scheduler.clock().advance(Duration.ofSeconds(5));
        step();
        scheduler.add(node("large").cpu("4").build());
        step();
        scheduler.clock().advance(Duration.ofSeconds(12));
        step();
        while (tasks.run("bind") || tasks.run("status")) {
            step();
        }
        var web = scheduler.cluster().pod("default/web");
        assertThat(web.nodeName()).isEqualTo("large");
        assertThat(web.condition(PodCondition.POD_SCHEDULED))
                .isEqualTo(PodCondition.of(PodCondition.POD_SCHEDULED, "True", "", ""));
    }
}
