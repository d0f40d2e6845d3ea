package io.berth.e2e.differential.scenario;

/// What a scenario is mostly about, in percent: the likelihood that a pod has such a thing. A theme
/// keeps the rest rare, so that a pod is not refused for ten reasons at once.
///
/// @param tightness how full nodes are; preemption needs little room
/// @param volumes of the pod to be placed; half as often of pods on nodes
record Theme(
        int resources,
        int nodeChoice,
        int taints,
        int spread,
        int podAffinity,
        int ports,
        int images,
        int priority,
        int tightness,
        int volumes) {
    /// Pods with volumes, and some that are more important than others.
    static final Theme VOLUMES = new Theme(45, 8, 8, 4, 4, 0, 10, 85, 40, 90);

    private static final Theme[] ALL = {
        new Theme(60, 20, 20, 20, 20, 10, 40, 20, 40, 0), // a bit of everything
        new Theme(95, 10, 10, 5, 5, 5, 30, 10, 50, 0), // resources
        new Theme(40, 90, 40, 10, 5, 5, 10, 10, 20, 0), // node affinity, taints
        new Theme(40, 25, 20, 95, 10, 0, 10, 10, 20, 0), // spreading
        new Theme(40, 10, 10, 10, 95, 0, 10, 10, 20, 0), // pods near pods
        new Theme(95, 5, 5, 5, 5, 15, 5, 95, 95, 0), // preemption for room
        new Theme(90, 10, 10, 25, 30, 25, 5, 90, 95, 0), // preemption for other reasons too
        new Theme(30, 10, 60, 40, 40, 40, 30, 40, 50, 0),
    };

    /// Whether most pods find no room.
    boolean isTight() {
        return tightness > 80;
    }

    static Theme of(Draw draw) {
        return draw.oneOf(ALL);
    }
}
