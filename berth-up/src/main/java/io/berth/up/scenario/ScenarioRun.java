package io.berth.up.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.kube.client.ApiException;
import io.berth.up.device.MadeUpDevices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Has a scenario happen, step by step, and tells what came of it.
public final class ScenarioRun {
    private static final Duration LOOK = Duration.ofMillis(100);

    private final Scenario scenario;
    private final Writer writer;
    private final View view;
    private final Consumer<String> told;
    private final List<String> disappointments = new ArrayList<>();

    /// @param told takes a line for every step
    public ScenarioRun(Scenario scenario, Writer writer, View view, Consumer<String> told) {
        this.scenario = scenario;
        this.writer = writer;
        this.view = view;
        this.told = told;
    }

    /// Makes the nodes. They come before the scheduler starts, so that it sees all of them.
    public void createNodes() throws InterruptedException {
        if (scenario.pools().stream().anyMatch(pool -> pool.devices().isPresent())) {
            writer.apply(MadeUpDevices.classes());
        }
        for (NodePool pool : scenario.pools()) {
            writer.apply(pool.nodes());
            writer.apply(pool.slices());
        }
    }

    /// Does everything in its time.
    ///
    /// @return what was expected and did not come, one sentence each
    public List<String> run() throws InterruptedException {
        long begin = System.nanoTime();
        for (Step step : scenario.steps()) {
            Duration left = step.at().minusNanos(System.nanoTime() - begin);
            if (left.isPositive()) {
                Thread.sleep(left);
            }
            try {
                perform(step);
            } catch (ApiException refused) {
                disappoint("a step was refused: " + refused.getMessage());
            } catch (FileProblem problem) {
                disappoint(String.valueOf(problem.getMessage()));
            }
        }
        told.accept(
                disappointments.isEmpty()
                        ? "scenario " + scenario.name() + " is done, everything came as expected"
                        : "scenario "
                                + scenario.name()
                                + " is done, "
                                + disappointments.size()
                                + " expectations failed");
        return List.copyOf(disappointments);
    }

    private void disappoint(String sentence) {
        disappointments.add(sentence);
        told.accept(sentence);
    }

    private void perform(Step step) throws InterruptedException {
        switch (step) {
            case Step.Apply(_, List<ObjectNode> objects) -> {
                told.accept("scenario applies " + objects.size() + " objects");
                writer.apply(objects);
            }
            case Step.Lose(_, String label, String value, boolean gone) -> {
                told.accept(
                        "scenario "
                                + (gone ? "removes" : "loses")
                                + " nodes of "
                                + label
                                + "="
                                + value);
                writer.lose(label, value, gone);
            }
            case Step.Scale(_, String kind, String name, int replicas) -> {
                told.accept("scenario scales " + kind + "/" + name + " to " + replicas);
                writer.scale(kind, name, replicas);
            }
            case Step.Delete(_, String kind, String name) -> {
                told.accept("scenario deletes " + kind + "/" + name);
                writer.delete(kind, name);
            }
            case Step.Expect expect -> await(expect);
        }
    }

    private void await(Step.Expect expect) throws InterruptedException {
        long end = System.nanoTime() + expect.within().toNanos();
        Map<String, Integer> found = count(expect);
        while (!expect.numbers().equals(found) && System.nanoTime() - end < 0) {
            Thread.sleep(LOOK);
            found = count(expect);
        }
        if (expect.numbers().equals(found)) {
            told.accept("scenario found " + found + " as expected");
        } else {
            disappoint(
                    "scenario expected %s within %s and found %s"
                            .formatted(expect.numbers(), text(expect.within()), found));
        }
    }

    private static String text(Duration duration) {
        return duration.toMillis() % 1000 == 0
                ? duration.toSeconds() + "s"
                : duration.toMillis() + "ms";
    }

    private Map<String, Integer> count(Step.Expect expect) {
        View.Counts counts =
                view.count(pod -> expect.selector().matches(pod.labels().toMap()), expect.zone());
        var all =
                new TreeMap<>(
                        Map.of(
                                "placed", counts.placed(),
                                "pending", counts.pending(),
                                "running", counts.running()));
        all.keySet().retainAll(expect.numbers().keySet());
        return all;
    }
}
