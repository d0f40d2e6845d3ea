package io.berth.testkit;

import io.berth.api.column.NodeColumns;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.plugin.SlotScore;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.testkit.TestPlugins.Binder;
import io.berth.testkit.TestPlugins.Order;
import java.util.List;

/// The smallest set of plugins that makes a scheduler, for tests of the engine.
final class TinyPlugins {
    private TinyPlugins() {}

    static TestPlugins all() {
        return TestPlugins.of(List.of(), List.of())
                .and(new Order(), 0)
                .and(new Cpu(), 0)
                .and(TestPlugins.factory("Binder", Binder::new), 0);
    }

    /// Counts cpu alone, and prefers the emptier node.
    record Cpu() implements NodeLocalFilter, NodeLocalScore, Events {
        private static final Refusal TOO_LITTLE = Refusal.mayPreempt("too little cpu");

        @Override
        public String name() {
            return "Cpu";
        }

        @Override
        public SlotJudge judge(PodSpec spec, NodeColumns columns) {
            long wanted = spec.requests().exact().cpuMillis();
            long[] allocatable = columns.allocatableCpuMillis();
            long[] requested = columns.requestedCpuMillis();
            return new SlotJudge() {
                @Override
                public boolean passes(int slot) {
                    return requested[slot] + wanted <= allocatable[slot];
                }

                @Override
                public Verdict explain(int slot) {
                    return passes(slot) ? Verdict.PASS : TOO_LITTLE;
                }
            };
        }

        @Override
        public SlotScore scorer(PodSpec spec, NodeColumns columns) {
            long[] allocatable = columns.allocatableCpuMillis();
            long[] requested = columns.requestedCpuMillis();
            return slot -> 100 - 100 * requested[slot] / allocatable[slot];
        }

        @Override
        public List<Registration> events() {
            return List.of(
                    Registration.of(ClusterEvent.NODE, Action.ADD | Action.UPDATE_NODE_ALLOCATABLE),
                    Registration.of(ClusterEvent.POD, Action.DELETE));
        }
    }
}
