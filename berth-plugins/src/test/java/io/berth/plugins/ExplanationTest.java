package io.berth.plugins;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.explain.FilterAnswer;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.Lack;
import io.berth.engine.framework.ProfileSettings;
import io.berth.testkit.TestScheduler;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What the shipped plugins tell about a pod.
final class ExplanationTest {
    @Test
    @Tag("NF-5")
    void everyReasonIsToldAndHowMuchIsLacking() {
        var scheduler =
                TestScheduler.with(
                        InTree.factories(),
                        ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults()));
        scheduler.add(
                node("a").cpu("4").memory("4Gi").pods(1).taint("old", "", "NoSchedule").build());
        scheduler.create(pod("there").cpu("3").onNode("a").build());
        scheduler.settle();
        var profile =
                Objects.requireNonNull(
                        scheduler.engine().profiles().get(PodSpec.DEFAULT_SCHEDULER));
        var told = profile.explain(pod("asked").cpu("2").memory("1Gi").build());
        var refusals = told.node("a").orElseThrow().refusals();
        assertThat(refusals)
                .extracting(FilterAnswer::plugin)
                .containsExactly("TaintToleration", "NodeResourcesFit");
        assertThat(refusals)
                .extracting(FilterAnswer::lacks)
                .containsExactly(
                        List.of(), List.of(new Lack("pods", 1, 0), new Lack("cpu", 2000, 1000)));
        assertThat(told.choice()).isEmpty();
    }
}
