package io.berth.plugins;

import static io.berth.plugins.InTreePlugin.missing;

import io.berth.api.model.Kind;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.plugins.defaultbinder.DefaultBinder;
import io.berth.plugins.defaultpreemption.DefaultPreemption;
import io.berth.plugins.defaultpreemption.DefaultPreemptionArguments;
import io.berth.plugins.dynamicresources.DynamicResources;
import io.berth.plugins.dynamicresources.DynamicResourcesArguments;
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
import io.berth.plugins.nodevolumelimits.NodeVolumeLimits;
import io.berth.plugins.podtopologyspread.PodTopologySpread;
import io.berth.plugins.podtopologyspread.SpreadArguments;
import io.berth.plugins.prioritysort.PrioritySort;
import io.berth.plugins.schedulinggates.SchedulingGates;
import io.berth.plugins.tainttoleration.TaintToleration;
import io.berth.plugins.tainttoleration.Tolerations;
import io.berth.plugins.topology.DefaultSelectors;
import io.berth.plugins.volumebinding.VolumeBinding;
import io.berth.plugins.volumebinding.VolumeBindingArguments;
import io.berth.plugins.volumerestrictions.VolumeRestrictions;
import io.berth.plugins.volumezone.VolumeZone;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// The plugins that Berth brings along, one line each, in the order in which a profile has them
/// unless it says otherwise, and with the weights of their scores (rules G-1, E-126).
///
/// A plugin is its package and a line here: who makes it of its arguments, its weight, the feature
/// gate that it stands behind, the kinds of objects that it looks at. Those that only
/// kube-scheduler has are here by name, with the points where they stand.
public final class InTree {
    private static final List<InTreePlugin> PLUGINS =
            List.of(
                    InTreePlugin.of(SchedulingGates.NAME, SchedulingGates::new),
                    InTreePlugin.of(PrioritySort.NAME, PrioritySort::new),
                    InTreePlugin.of(NodeUnschedulable.NAME, NodeUnschedulable::new),
                    InTreePlugin.of(NodeName.NAME, NodeName::new),
                    InTreePlugin.of(
                                    TaintToleration.NAME,
                                    (_, handle) -> new TaintToleration(Tolerations.of(handle)))
                            .weighing(3),
                    InTreePlugin.of(
                                    NodeAffinity.NAME,
                                    args -> new NodeAffinity(NodeAffinityArguments.parse(args)))
                            .weighing(2),
                    InTreePlugin.of(NodePorts.NAME, NodePorts::new),
                    InTreePlugin.of(
                                    NodeResourcesFit.NAME,
                                    (args, handle) ->
                                            NodeResourcesFit.of(FitArguments.parse(args), handle))
                            .weighing(1),
                    InTreePlugin.of(
                                    VolumeRestrictions.NAME,
                                    (_, handle) -> new VolumeRestrictions(handle))
                            .lookingAt(Kind.PERSISTENT_VOLUME_CLAIM),
                    InTreePlugin.of(
                                    NodeVolumeLimits.NAME,
                                    (_, handle) -> new NodeVolumeLimits(handle))
                            .lookingAt(
                                    Kind.PERSISTENT_VOLUME_CLAIM,
                                    Kind.PERSISTENT_VOLUME,
                                    Kind.STORAGE_CLASS,
                                    Kind.CSI_NODE,
                                    Kind.CSI_DRIVER,
                                    Kind.VOLUME_ATTACHMENT),
                    InTreePlugin.of(
                                    VolumeBinding.NAME,
                                    (args, handle) ->
                                            new VolumeBinding(
                                                    VolumeBindingArguments.parse(args), handle))
                            .lookingAt(
                                    Kind.PERSISTENT_VOLUME,
                                    Kind.PERSISTENT_VOLUME_CLAIM,
                                    Kind.STORAGE_CLASS,
                                    Kind.CSI_NODE,
                                    Kind.CSI_DRIVER,
                                    Kind.CSI_STORAGE_CAPACITY),
                    InTreePlugin.of(VolumeZone.NAME, (_, handle) -> new VolumeZone(handle))
                            .lookingAt(
                                    Kind.PERSISTENT_VOLUME_CLAIM,
                                    Kind.PERSISTENT_VOLUME,
                                    Kind.STORAGE_CLASS),
                    InTreePlugin.of(
                                    PodTopologySpread.NAME,
                                    (args, handle) ->
                                            new PodTopologySpread(
                                                    SpreadArguments.parse(args), handle))
                            .weighing(2)
                            .lookingAt(args -> SpreadArguments.parse(args).kinds()),
                    InTreePlugin.of(
                                    InterPodAffinity.NAME,
                                    (args, handle) ->
                                            new InterPodAffinity(
                                                    InterPodAffinityArguments.parse(args), handle))
                            .weighing(2)
                            .lookingAt(Kind.NAMESPACE),
                    InTreePlugin.of(
                                    DynamicResources.NAME,
                                    (args, handle) ->
                                            new DynamicResources(
                                                    DynamicResourcesArguments.parse(args), handle))
                            .weighing(2)
                            .behind(DynamicResources.GATE)
                            .lookingAt(Kind.RESOURCE_CLAIM, Kind.RESOURCE_SLICE, Kind.DEVICE_CLASS),
                    InTreePlugin.of(
                                    DefaultPreemption.NAME,
                                    (args, handle) ->
                                            new DefaultPreemption(
                                                    DefaultPreemptionArguments.of(args), handle))
                            .lookingAt(Kind.POD_DISRUPTION_BUDGET),
                    InTreePlugin.of(
                                    NodeResourcesBalancedAllocation.NAME,
                                    (args, handle) ->
                                            NodeResourcesBalancedAllocation.of(
                                                    BalancedArguments.parse(args), handle))
                            .weighing(1),
                    InTreePlugin.of(ImageLocality.NAME, ImageLocality::new).weighing(1),
                    InTreePlugin.of(
                            DefaultBinder.NAME, (_, handle) -> new DefaultBinder(handle.writes())),
                    InTreePlugin.of(NodeDeclaredFeatures.NAME, NodeDeclaredFeatures::new)
                            .behind("NodeDeclaredFeatures"),
                    missing("GangScheduling", "preEnqueue", "permit").behind("GangScheduling"),
                    missing("TopologyPlacementGenerator", "placementGenerate")
                            .behind("TopologyAwareWorkloadScheduling"),
                    missing("PodGroupPodsCount", "placementScore")
                            .weighing(1)
                            .behind("TopologyAwareWorkloadScheduling"),
                    InTreePlugin.of(SelectorSpread.NAME, (_, handle) -> new SelectorSpread(handle))
                            .lookingAt(_ -> DefaultSelectors.KINDS)
                            .onRequest(),
                    InTreePlugin.of(
                                    NodeLabel.NAME,
                                    args -> new NodeLabel(NodeLabelArguments.parse(args)))
                            .onRequest(),
                    InTreePlugin.of(NodePreferAvoidPods.NAME, NodePreferAvoidPods::new).onRequest(),
                    InTreePlugin.of(
                                    ServiceAffinity.NAME,
                                    (args, handle) ->
                                            new ServiceAffinity(
                                                    ServiceAffinityArguments.parse(args), handle))
                            .lookingAt(Kind.SERVICE)
                            .onRequest());

    private InTree() {}

    /// The default profile with every feature, as far as the plugins exist here.
    public static List<EnabledPlugin> defaults() {
        return PLUGINS.stream()
                .filter(plugin -> plugin.isDefault() && plugin.isHere())
                .map(InTreePlugin::enabled)
                .toList();
    }

    /// kube-scheduler's default profile, those that are missing here included.
    ///
    /// @param features which feature gates are on
    public static List<EnabledPlugin> defaults(Predicate<String> features) {
        return PLUGINS.stream()
                .filter(InTreePlugin::isDefault)
                .filter(plugin -> plugin.gate().isEmpty() || features.test(plugin.gate()))
                .map(InTreePlugin::enabled)
                .toList();
    }

    public static List<PluginFactory> factories() {
        return PLUGINS.stream()
                .filter(InTreePlugin::isHere)
                .map(plugin -> (PluginFactory) plugin)
                .toList();
    }

    /// Where a plugin stands that kube-scheduler has and Berth lacks; empty for other names.
    public static Set<String> missingPoints(String name) {
        return PLUGINS.stream()
                .filter(plugin -> plugin.name().equals(name))
                .findFirst()
                .map(InTreePlugin::missingPoints)
                .orElse(Set.of());
    }
}
