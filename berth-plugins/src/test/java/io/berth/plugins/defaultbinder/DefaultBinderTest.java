package io.berth.plugins.defaultbinder;

import static io.berth.plugins.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.verdict.BindVerdict;
import io.berth.plugins.TestCluster;
import io.berth.plugins.TestCycle;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DefaultBinderTest {
    @Test
    @Tag("DB-1")
    void bindsThePodOfThisUidToTheNode() {
        var cluster = new TestCluster();
        var verdict =
                new DefaultBinder(cluster.writes())
                        .bind(new TestCycle(), pod("p").uid("u1").build(), "a");
        assertThat(verdict).isEqualTo(BindVerdict.BOUND);
        assertThat(cluster.bound).containsExactly("default/p u1 -> a");
    }
}
