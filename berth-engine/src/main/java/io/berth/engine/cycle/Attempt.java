package io.berth.engine.cycle;

import io.berth.api.model.Pod;
import io.berth.engine.framework.CycleState;
import io.berth.engine.profile.Profile;
import io.berth.engine.queue.QueuedPodInfo;

/// One try to place one pod.
///
/// @param pod the pod as it was when the attempt began; later changes are judged when it returns
/// @param number counted over all pods
record Attempt(
        QueuedPodInfo info,
        Pod pod,
        long number,
        Profile profile,
        CycleState cycle,
        long startedNanos) {}
