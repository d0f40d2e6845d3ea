package io.berth.testkit;

import io.berth.api.column.NodeColumns;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.Bind;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.api.plugin.QueueSort;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.plugin.SlotScore;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.BindVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.api.write.Write;
import io.berth.engine.framework.ProfileSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The smallest set of plugins that makes a scheduler, for tests of the engine.
final class TinyPlugins {
    private TinyPlugins() {}

    /// A factory from a lambda.
    static PluginFactory factory(String name, Function<Handle, Plugin> make) {
        return new PluginFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Plugin create(Arguments arguments, Handle handle) {
                return make.apply(handle);
            }
        };
    }

    /// The tiny plugins and some more.
    static List<PluginFactory> and(PluginFactory... more) {
        var all = new ArrayList<PluginFactory>();
        all.add(factory("Order", _ -> new Order()));
        all.add(factory("Cpu", _ -> new Cpu()));
        all.add(factory("Binder", Binder::new));
        all.addAll(List.of(more));
        return all;
    }

    static ProfileSettings profile(String... more) {
        var enabled = new ArrayList<EnabledPlugin>();
        for (var name : List.of("Order", "Cpu")) {
            enabled.add(EnabledPlugin.of(name));
        }
        for (var name : more) {
            enabled.add(EnabledPlugin.of(name));
        }
        enabled.add(EnabledPlugin.of("Binder"));
        return ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, enabled);
    }

    /// Higher priority first, then older.
    record Order() implements QueueSort {
        @Override
        public String name() {
            return "Order";
        }

        @Override
        public boolean less(QueuedPod a, QueuedPod b) {
            int byPriority = Integer.compare(a.pod().spec().priority(), b.pod().spec().priority());
            return byPriority != 0 ? byPriority > 0 : a.timestampMillis() < b.timestampMillis();
        }
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

    record Binder(Handle handle) implements Bind {
        @Override
        public String name() {
            return "Binder";
        }

        @Override
        public BindVerdict bind(Cycle cycle, Pod pod, String nodeName) {
            handle.writes().send(new Write.Bind(pod, nodeName));
            return BindVerdict.BOUND;
        }
    }
}
