package io.berth.app;

import io.berth.kube.lease.ElectionObserver;
import io.berth.kube.lease.ElectionSettings;

/// How this process competes with others for the leadership.
///
/// @param component who speaks in events about the lease: the first profile's name (P-156)
/// @param delaysCaches whether nothing is watched before this process leads (P-139)
/// @param emulationVersion the version to offer in a coordinated election
public record Election(
        ElectionSettings settings,
        String component,
        boolean delaysCaches,
        String emulationVersion,
        ElectionObserver observer) {}
