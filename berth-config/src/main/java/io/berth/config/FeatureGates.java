package io.berth.config;

import java.util.Set;

/// Which features are switched on. Few of them touch the configuration.
@FunctionalInterface
public interface FeatureGates {
    /// The defaults of 1.36 for the gates that matter here.
    FeatureGates DEFAULT =
            Set.of(
                            "NodeDeclaredFeatures",
                            "DRASchedulerFilterTimeout",
                            "DRADeviceBindingConditions",
                            "DRAResourceClaimDeviceStatus",
                            "DefaultPodTopologySpread")
                    ::contains;

    boolean enabled(String gate);
}
