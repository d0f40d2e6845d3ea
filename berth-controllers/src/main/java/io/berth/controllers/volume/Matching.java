package io.berth.controllers.volume;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Quantity;
import io.berth.controllers.object.Selector;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;

/// Which volume suits a claim.
final class Matching {
    private Matching() {}

    /// The volume that names the claim, or the smallest free one that is large enough.
    static Optional<KubeObject> find(KubeObject claim, Collection<KubeObject> volumes) {
        return volumes.stream()
                .filter(volume -> names(volume, claim))
                .findFirst()
                .or(() ->
                        volumes.stream()
                                .filter(volume -> volume.spec().path("claimRef").isMissingNode())
                                .filter(volume -> suits(volume, claim))
                                .min(
                                        Comparator.comparing(Matching::capacity)
                                                .thenComparing(volume -> volume.meta().name())));
    }

    static boolean names(KubeObject volume, KubeObject claim) {
        JsonNode reference = volume.spec().path("claimRef");
        String uid = reference.path("uid").asText("");
        return reference.path("namespace").asText().equals(claim.meta().namespace())
                && reference.path("name").asText().equals(claim.meta().name())
                && (uid.isEmpty() || uid.equals(claim.meta().uid()));
    }

    private static boolean suits(KubeObject volume, KubeObject claim) {
        String phase = volume.status().path("phase").asText("");
        return !volume.meta().isDeleting()
                && (phase.equals("Available") || phase.equals("Pending") || phase.isEmpty())
                && storageClass(volume).equals(storageClass(claim))
                && mode(volume).equals(mode(claim))
                && modes(volume).containsAll(modes(claim))
                && Selector.of(claim.spec().path("selector")).test(volume.meta().labels())
                && capacity(volume).compareTo(requested(claim)) >= 0;
    }

    static String storageClass(KubeObject object) {
        String old = object.meta().annotation("volume.beta.kubernetes.io/storage-class");
        return old.isEmpty() ? object.spec().path("storageClassName").asText("") : old;
    }

    private static String mode(KubeObject object) {
        return object.spec().path("volumeMode").asText("Filesystem");
    }

    private static Collection<String> modes(KubeObject object) {
        var modes = new HashSet<String>();
        object.spec().path("accessModes").forEach(each -> modes.add(each.asText()));
        return modes;
    }

    private static BigDecimal capacity(KubeObject volume) {
        return Quantity.parse(volume.spec().path("capacity").path("storage").asText(""))
                .orElse(BigDecimal.ZERO);
    }

    private static BigDecimal requested(KubeObject claim) {
        JsonNode requests = claim.spec().path("resources").path("requests");
        return Quantity.parse(requests.path("storage").asText("")).orElse(BigDecimal.ZERO);
    }
}
