package io.berth.plugins;

import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.plugins.defaultbinder.DefaultBinder;
import io.berth.plugins.defaultpreemption.DefaultPreemption;
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
import java.util.stream.Collectors;

/// The plugins that Berth brings along, and the order and weights in which a profile has them
/// unless it says otherwise (rules G-1, E-126).
public final class InTree {
    private static final List<EnabledPlugin> DEFAULTS =
            List.of(
                    new EnabledPlugin(SchedulingGates.NAME, 0),
                    new EnabledPlugin(PrioritySort.NAME, 0),
                    new EnabledPlugin(NodeUnschedulable.NAME, 0),
                    new EnabledPlugin(NodeName.NAME, 0),
                    new EnabledPlugin(TaintToleration.NAME, 3),
                    new EnabledPlugin(NodeAffinity.NAME, 2),
                    new EnabledPlugin(NodePorts.NAME, 0),
                    new EnabledPlugin(NodeResourcesFit.NAME, 1),
                    new EnabledPlugin("VolumeRestrictions", 0),
                    new EnabledPlugin("NodeVolumeLimits", 0),
                    new EnabledPlugin("VolumeBinding", 0),
                    new EnabledPlugin("VolumeZone", 0),
                    new EnabledPlugin(PodTopologySpread.NAME, 2),
                    new EnabledPlugin(InterPodAffinity.NAME, 2),
                    new EnabledPlugin(DynamicResources.NAME, 2),
                    new EnabledPlugin(DefaultPreemption.NAME, 0),
                    new EnabledPlugin(NodeResourcesBalancedAllocation.NAME, 1),
                    new EnabledPlugin(ImageLocality.NAME, 1),
                    new EnabledPlugin(DefaultBinder.NAME, 0),
                    new EnabledPlugin(NodeDeclaredFeatures.NAME, 0));

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
                    new Factories.ForDefaultPreemption(),
                    new Factories.ForNodeResourcesBalancedAllocation(),
                    new Factories.ForImageLocality(),
                    new Factories.ForDefaultBinder(),
                    new Factories.ForNodeDeclaredFeatures(),
                    new Factories.ForSelectorSpread(),
                    new Factories.ForNodeLabel(),
                    new Factories.ForNodePreferAvoidPods(),
                    new Factories.ForServiceAffinity());

    private InTree() {}

    /// The default list, as far as the plugins exist here: those for volumes do not yet.
    public static List<EnabledPlugin> defaults() {
        var known = FACTORIES.stream().map(PluginFactory::name).collect(Collectors.toSet());
        return DEFAULTS.stream().filter(plugin -> known.contains(plugin.name())).toList();
    }

    public static List<PluginFactory> factories() {
        return FACTORIES;
    }
}
