package io.berth.app;

import io.berth.config.gate.FeatureGates;
import java.util.Set;
import java.util.SortedMap;

/// Which feature gates of the scheduler change something in Berth. All gates of Kubernetes are
/// known; those of other components mean nothing here, as in kube-scheduler.
final class GateEffects {
    /// Gates that kube-scheduler acts on and Berth does not: the feature is always on or never
    /// there. Some still change which plugins a configuration may hold.
    static final Set<String> WITHOUT =
            Set.of(
                    "AtomicFIFO",
                    "ClearingNominatedNodeNameAfterBinding",
                    "ClientsAllowCARotation",
                    "ClientsAllowCBOR",
                    "ClientsAllowTLSCacheGC",
                    "ClientsPreferCBOR",
                    "ContextualLogging",
                    "DRAListTypeAttributes",
                    "DRANodeAllocatableResources",
                    "DRAResourceClaimGranularStatusAuthorization",
                    "DRAWorkloadResourceClaims",
                    "GangScheduling",
                    "GenericWorkload",
                    "InOrderInformers",
                    "InOrderInformersBatchProcess",
                    "InPlacePodLevelResourcesVerticalScaling",
                    "InPlacePodVerticalScaling",
                    "InformerResourceVersion",
                    "MatchLabelKeysInPodTopologySpread",
                    "MatchLabelKeysInPodTopologySpreadSelectorMerge",
                    "NativeHistograms",
                    "NominatedNodeNameForExpectation",
                    "OpportunisticBatching",
                    "PodLevelResources",
                    "PodObservedGenerationTracking",
                    "SchedulerAsyncAPICalls",
                    "SchedulerAsyncPreemption",
                    "SchedulerQueueingHints",
                    "TopologyAwareWorkloadScheduling",
                    "UnlockWhileProcessingFIFO",
                    "VolumeAttributesClass",
                    "WorkloadAwarePreemption");

    private GateEffects() {}

    /// The gates that are not as in this release, in vain.
    static SortedMap<String, Boolean> without(FeatureGates gates) {
        SortedMap<String, Boolean> changed = gates.changed();
        changed.keySet().retainAll(WITHOUT);
        return changed;
    }
}
