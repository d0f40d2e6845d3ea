package io.berth.controllers.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Share;
import java.util.List;

/// The numbers of a rolling update: how many pods there may be, and how many must be.
///
/// @param replicas how many are wanted
/// @param surge how many more there may be meanwhile
/// @param unavailable how many may be missing meanwhile
record Rollout(int replicas, int surge, int unavailable) {
    static Rollout of(KubeObject deployment) {
        int replicas = deployment.spec().path("replicas").asInt(1);
        JsonNode strategy = deployment.spec().path("strategy");
        if (!strategy.path("type").asText().equals("RollingUpdate")) {
            return new Rollout(replicas, 0, 0);
        }
        JsonNode rolling = strategy.path("rollingUpdate");
        int surge = Share.roundedUp(rolling.path("maxSurge"), replicas);
        int unavailable = Share.roundedDown(rolling.path("maxUnavailable"), replicas);
        // Both zero would never get anywhere.
        unavailable = surge == 0 && unavailable == 0 ? 1 : unavailable;
        return new Rollout(replicas, surge, Math.min(unavailable, replicas));
    }

    int most() {
        return replicas + surge;
    }

    int least() {
        return replicas - unavailable;
    }

    /// How large the new set may be now.
    int newSize(int current, int total) {
        if (current >= replicas) {
            return replicas;
        }
        int room = most() - total;
        return room <= 0 ? current : current + Math.min(room, replicas - current);
    }

    static int wanted(KubeObject set) {
        return set.spec().path("replicas").asInt(0);
    }

    static int available(KubeObject set) {
        return set.status().path("availableReplicas").asInt(0);
    }

    static int actual(KubeObject set) {
        return set.status().path("replicas").asInt(0);
    }

    static int wanted(List<KubeObject> sets) {
        return sets.stream().mapToInt(Rollout::wanted).sum();
    }

    static int available(List<KubeObject> sets) {
        return sets.stream().mapToInt(Rollout::available).sum();
    }

    static int actual(List<KubeObject> sets) {
        return sets.stream().mapToInt(Rollout::actual).sum();
    }
}
