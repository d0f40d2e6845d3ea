package io.berth.engine.cycle;

import io.berth.api.model.Pod;
import io.berth.engine.framework.CycleState;
import io.berth.engine.framework.Profile;
import io.berth.engine.queue.QueuedPodInfo;

/// One try to place one pod.
///
/// @param pod the pod as it was when the attempt began; later changes are judged when it returns
record Attempt(QueuedPodInfo info, Pod pod, Profile profile, CycleState cycle, long startedNanos) {}
