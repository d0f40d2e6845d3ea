package io.berth.plugins;

import io.berth.api.plugin.PluginFactory;
import io.berth.plugins.defaultbinder.DefaultBinder;
import io.berth.plugins.dynamicresources.DynamicResources;
import io.berth.plugins.imagelocality.ImageLocality;
import io.berth.plugins.interpodaffinity.InterPodAffinity;
import io.berth.plugins.nodeaffinity.NodeAffinity;
import io.berth.plugins.nodedeclaredfeatures.NodeDeclaredFeatures;
import io.berth.plugins.nodename.NodeName;
import io.berth.plugins.nodeports.NodePorts;
import io.berth.plugins.noderesources.NodeResourcesBalancedAllocation;
import io.berth.plugins.noderesources.NodeResourcesFit;
import io.berth.plugins.nodeunschedulable.NodeUnschedulable;
import io.berth.plugins.podtopologyspread.PodTopologySpread;
import io.berth.plugins.prioritysort.PrioritySort;
import io.berth.plugins.schedulinggates.SchedulingGates;
import io.berth.plugins.tainttoleration.TaintToleration;
import java.util.List;

/// The plugins that Berth brings along, and the order and weights in which a profile has them
/// unless it says otherwise (rules G-1, E-126).
public final class InTree {
    /// A plugin of the default list.
    ///
    /// @param weight 0 where the plugin gives no score, or none of note
    public record Enabled(String name, int weight) {}

    private static final List<Enabled> DEFAULTS =
            List.of(
                    new Enabled(SchedulingGates.NAME, 0),
                    new Enabled(PrioritySort.NAME, 0),
                    new Enabled(NodeUnschedulable.NAME, 0),
                    new Enabled(NodeName.NAME, 0),
                    new Enabled(TaintToleration.NAME, 3),
                    new Enabled(NodeAffinity.NAME, 2),
                    new Enabled(NodePorts.NAME, 0),
                    new Enabled(NodeResourcesFit.NAME, 1),
                    new Enabled("VolumeRestrictions", 0),
                    new Enabled("NodeVolumeLimits", 0),
                    new Enabled("VolumeBinding", 0),
                    new Enabled("VolumeZone", 0),
                    new Enabled(PodTopologySpread.NAME, 2),
                    new Enabled(InterPodAffinity.NAME, 2),
                    new Enabled(DynamicResources.NAME, 2),
                    new Enabled("DefaultPreemption", 0),
                    new Enabled(NodeResourcesBalancedAllocation.NAME, 1),
                    new Enabled(ImageLocality.NAME, 1),
                    new Enabled(DefaultBinder.NAME, 0),
                    new Enabled(NodeDeclaredFeatures.NAME, 0));

    private static final List<PluginFactory> FACTORIES =
            List.of(
                    new Factories.ForSchedulingGates(),
                    new Factories.ForPrioritySort(),
                    new Factories.ForNodeUnschedulable(),
                    new Factories.ForNodeName(),
                    new Factories.ForTaintToleration(),
                    new Factories.ForNodeAffinity(),
                    new Factories.ForNodePorts(),
                    new Factories.ForNodeResourcesFit(),
                    new Factories.ForPodTopologySpread(),
                    new Factories.ForInterPodAffinity(),
                    new Factories.ForDynamicResources(),
                    new Factories.ForNodeResourcesBalancedAllocation(),
                    new Factories.ForImageLocality(),
                    new Factories.ForDefaultBinder(),
                    new Factories.ForNodeDeclaredFeatures(),
                    new Factories.ForSelectorSpread(),
                    new Factories.ForNodeLabel(),
                    new Factories.ForNodePreferAvoidPods(),
                    new Factories.ForServiceAffinity());

    private InTree() {}

    /// The default list, with the names of plugins that live elsewhere (volumes, preemption) in
    /// their places. Whoever builds a profile leaves out those that are not there.
    public static List<Enabled> defaults() {
        return DEFAULTS;
    }

    public static List<PluginFactory> factories() {
        return FACTORIES;
    }
}
