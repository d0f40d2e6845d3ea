package io.berth.bench.load;

import java.util.function.IntFunction;

/// What a scheduler is given to do. Objects are JSON, as they are sent.
///
/// @param boundPerNode how many pods run on each node before
/// @param bound the i-th of these, without its node
/// @param hopeless how many pods that fit nowhere wait beside the measured ones
/// @param pod the i-th measured pod
/// @param churns whether nodes and services come and go meanwhile
/// @param devices what nodes have and pods claim
/// @param storage what pods keep their data on; a pod's claim has the pod's name
record Workload(
        String name,
        double boundPerNode,
        IntFunction<String> bound,
        int hopeless,
        IntFunction<String> pod,
        boolean churns,
        DeviceLoad devices,
        Storage storage) {
    static Workload of(String name, IntFunction<String> pod) {
        return new Workload(name, 0, pod, 0, pod, false, DeviceLoad.NONE, Storage.NONE);
    }

    Workload with(double pods, IntFunction<String> made) {
        return new Workload(name, pods, made, hopeless, pod, churns, devices, storage);
    }

    Workload withHopeless(int count) {
        return new Workload(name, boundPerNode, bound, count, pod, churns, devices, storage);
    }

    /// Whether the null scheduler writes all that a scheduler has to write for a pod.
    boolean hasLimit() {
        return !name.equals("preemption")
                && (devices.isNone() || !devices.claim().isEmpty())
                && storage != Storage.WAITING;
    }

    /// Whether pods placed before the measured ones have to go before these come, as they do where
    /// a cluster stays as full as it is.
    boolean makesRoom() {
        return devices.takenPerNode() > 0;
    }

    Workload claiming(DeviceLoad load) {
        return new Workload(name, boundPerNode, bound, hopeless, pod, churns, load, storage);
    }

    /// One claim for each pod.
    Workload on(Storage kind) {
        return new Workload(name, boundPerNode, bound, hopeless, pod, churns, devices, kind);
    }

    Workload churning() {
        return new Workload(name, boundPerNode, bound, hopeless, pod, true, devices, storage);
    }
}
