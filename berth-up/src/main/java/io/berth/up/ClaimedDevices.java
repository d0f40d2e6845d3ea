package io.berth.up;

import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.spec.PodClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Which pods have got the devices that they claim, and which wait for them.
///
/// The watch of pods and that of claims call it, each on its own thread.
final class ClaimedDevices {
    private final Map<String, ResourceClaim> claims = new ConcurrentHashMap<>();
    private final Map<String, Pod> waiting = new ConcurrentHashMap<>();
    private final Consumer<Pod> look;

    /// @param look takes pods that wait whenever a claim has changed
    ClaimedDevices(Consumer<Pod> look) {
        this.look = look;
    }

    /// Whether everything that the pod claims is allocated, and reserved for it. If not, the pod is
    /// looked at again.
    boolean areReadyFor(Pod pod) {
        if (pod.spec().resourceClaims().isEmpty() && extended(pod).isEmpty()) {
            return true;
        }
        // Before the claims are read, so that one that comes meanwhile finds the pod.
        waiting.put(pod.key(), pod);
        if (!hasAll(pod)) {
            return false;
        }
        waiting.remove(pod.key());
        return true;
    }

    private boolean hasAll(Pod pod) {
        var names = new ArrayList<String>();
        extended(pod).ifPresent(names::add);
        for (PodClaim each : pod.spec().resourceClaims()) {
            Optional<Optional<String>> name = claimName(pod, each);
            if (name.isEmpty()) {
                return false;
            }
            name.get().ifPresent(names::add);
        }
        return names.stream().allMatch(name -> isReserved(claims.get(key(pod, name)), pod));
    }

    /// Empty as long as no claim was made from the template; an empty name where none is needed.
    private static Optional<Optional<String>> claimName(Pod pod, PodClaim claim) {
        String direct = claim.claimName();
        if (direct != null) {
            return Optional.of(Optional.of(direct));
        }
        GeneratedClaims generated = pod.generatedClaims();
        return generated == null
                ? Optional.empty()
                : generated.claims().stream()
                        .filter(each -> each.name().equals(claim.name()))
                        .map(each -> Optional.ofNullable(each.claimName()))
                        .findFirst();
    }

    private static Optional<String> extended(Pod pod) {
        GeneratedClaims generated = pod.generatedClaims();
        return Optional.ofNullable(generated)
                .map(GeneratedClaims::extended)
                .map(GeneratedClaims.Extended::claimName);
    }

    private static boolean isReserved(@Nullable ResourceClaim claim, Pod pod) {
        return claim != null
                && claim.allocation() != null
                && claim.reservedFor().contains(ResourceClaim.Consumer.of(pod));
    }

    private static String key(Pod pod, String claim) {
        return pod.namespace() + "/" + claim;
    }

    void seen(ResourceClaim claim) {
        claims.put(claim.namespace() + "/" + claim.name(), claim);
        List.copyOf(waiting.values()).stream()
                .filter(pod -> pod.namespace().equals(claim.namespace()))
                .forEach(look);
    }

    void gone(Kind kind, String namespace, String name) {
        if (kind == Kind.RESOURCE_CLAIM) {
            claims.remove(namespace + "/" + name);
        } else if (kind == Kind.POD) {
            waiting.remove(namespace + "/" + name);
        }
    }

    void forget(Pod pod) {
        waiting.remove(pod.key());
    }
}
