package io.berth.plugins;

import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.Handle;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.plugins.defaultbinder.DefaultBinder;
import io.berth.plugins.defaultpreemption.DefaultPreemption;
import io.berth.plugins.defaultpreemption.DefaultPreemptionArguments;
import io.berth.plugins.dynamicresources.DynamicResources;
import io.berth.plugins.imagelocality.ImageLocality;
import io.berth.plugins.interpodaffinity.InterPodAffinity;
import io.berth.plugins.interpodaffinity.InterPodAffinityArguments;
import io.berth.plugins.legacy.NodeLabel;
import io.berth.plugins.legacy.NodeLabelArguments;
import io.berth.plugins.legacy.NodePreferAvoidPods;
import io.berth.plugins.legacy.SelectorSpread;
import io.berth.plugins.legacy.ServiceAffinity;
import io.berth.plugins.legacy.ServiceAffinityArguments;
import io.berth.plugins.nodeaffinity.NodeAffinity;
import io.berth.plugins.nodeaffinity.NodeAffinityArguments;
import io.berth.plugins.nodedeclaredfeatures.NodeDeclaredFeatures;
import io.berth.plugins.nodename.NodeName;
import io.berth.plugins.nodeports.NodePorts;
import io.berth.plugins.noderesources.BalancedArguments;
import io.berth.plugins.noderesources.FitArguments;
import io.berth.plugins.noderesources.NodeResourcesBalancedAllocation;
import io.berth.plugins.noderesources.NodeResourcesFit;
import io.berth.plugins.nodeunschedulable.NodeUnschedulable;
import io.berth.plugins.podtopologyspread.PodTopologySpread;
import io.berth.plugins.podtopologyspread.SpreadArguments;
import io.berth.plugins.prioritysort.PrioritySort;
import io.berth.plugins.schedulinggates.SchedulingGates;
import io.berth.plugins.tainttoleration.TaintToleration;

/// Makers of the in-tree plugins, one class each, as `ServiceLoader` wants them.
public final class Factories {
    private Factories() {}

    /// Makes [SchedulingGates].
    public static final class ForSchedulingGates implements PluginFactory {
        @Override
        public String name() {
            return SchedulingGates.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new SchedulingGates();
        }
    }

    /// Makes [PrioritySort].
    public static final class ForPrioritySort implements PluginFactory {
        @Override
        public String name() {
            return PrioritySort.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new PrioritySort();
        }
    }

    /// Makes [NodeUnschedulable].
    public static final class ForNodeUnschedulable implements PluginFactory {
        @Override
        public String name() {
            return NodeUnschedulable.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new NodeUnschedulable();
        }
    }

    /// Makes [NodeName].
    public static final class ForNodeName implements PluginFactory {
        @Override
        public String name() {
            return NodeName.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new NodeName();
        }
    }

    /// Makes [TaintToleration].
    public static final class ForTaintToleration implements PluginFactory {
        @Override
        public String name() {
            return TaintToleration.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new TaintToleration();
        }
    }

    /// Makes [NodeAffinity].
    public static final class ForNodeAffinity implements PluginFactory {
        @Override
        public String name() {
            return NodeAffinity.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new NodeAffinity(NodeAffinityArguments.parse(arguments));
        }
    }

    /// Makes [NodePorts].
    public static final class ForNodePorts implements PluginFactory {
        @Override
        public String name() {
            return NodePorts.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new NodePorts();
        }
    }

    /// Makes [NodeResourcesFit].
    public static final class ForNodeResourcesFit implements PluginFactory {
        @Override
        public String name() {
            return NodeResourcesFit.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new NodeResourcesFit(FitArguments.parse(arguments));
        }
    }

    /// Makes [PodTopologySpread].
    public static final class ForPodTopologySpread implements PluginFactory {
        @Override
        public String name() {
            return PodTopologySpread.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new PodTopologySpread(SpreadArguments.parse(arguments), handle);
        }
    }

    /// Makes [InterPodAffinity].
    public static final class ForInterPodAffinity implements PluginFactory {
        @Override
        public String name() {
            return InterPodAffinity.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new InterPodAffinity(InterPodAffinityArguments.parse(arguments), handle);
        }
    }

    /// Makes [DynamicResources].
    public static final class ForDynamicResources implements PluginFactory {
        @Override
        public String name() {
            return DynamicResources.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new DynamicResources();
        }
    }

    /// Makes [DefaultPreemption].
    public static final class ForDefaultPreemption implements PluginFactory {
        @Override
        public String name() {
            return DefaultPreemption.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new DefaultPreemption(DefaultPreemptionArguments.of(arguments), handle);
        }
    }

    /// Makes [NodeResourcesBalancedAllocation].
    public static final class ForNodeResourcesBalancedAllocation implements PluginFactory {
        @Override
        public String name() {
            return NodeResourcesBalancedAllocation.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new NodeResourcesBalancedAllocation(BalancedArguments.parse(arguments));
        }
    }

    /// Makes [ImageLocality].
    public static final class ForImageLocality implements PluginFactory {
        @Override
        public String name() {
            return ImageLocality.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new ImageLocality();
        }
    }

    /// Makes [DefaultBinder].
    public static final class ForDefaultBinder implements PluginFactory {
        @Override
        public String name() {
            return DefaultBinder.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new DefaultBinder(handle.writes());
        }
    }

    /// Makes [NodeDeclaredFeatures].
    public static final class ForNodeDeclaredFeatures implements PluginFactory {
        @Override
        public String name() {
            return NodeDeclaredFeatures.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new NodeDeclaredFeatures();
        }
    }

    /// Makes [SelectorSpread].
    public static final class ForSelectorSpread implements PluginFactory {
        @Override
        public String name() {
            return SelectorSpread.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new SelectorSpread(handle);
        }
    }

    /// Makes [NodeLabel].
    public static final class ForNodeLabel implements PluginFactory {
        @Override
        public String name() {
            return NodeLabel.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new NodeLabel(NodeLabelArguments.parse(arguments));
        }
    }

    /// Makes [NodePreferAvoidPods].
    public static final class ForNodePreferAvoidPods implements PluginFactory {
        @Override
        public String name() {
            return NodePreferAvoidPods.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new NodePreferAvoidPods();
        }
    }

    /// Makes [ServiceAffinity].
    public static final class ForServiceAffinity implements PluginFactory {
        @Override
        public String name() {
            return ServiceAffinity.NAME;
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new ServiceAffinity(ServiceAffinityArguments.parse(arguments), handle);
        }
    }
}
