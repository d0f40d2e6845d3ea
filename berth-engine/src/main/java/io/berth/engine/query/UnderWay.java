package io.berth.engine.query;

import io.berth.engine.cycle.BindingCycle;
import io.berth.engine.cycle.StatusWrites;
import io.berth.engine.cycle.WaitingPods;

/// What an engine has begun and not ended.
public record UnderWay(BindingCycle bindings, StatusWrites statuses, WaitingPods waiting) {}
