package io.berth.sim.device;

import io.berth.api.device.DeviceClaim;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.GeneratedClaims.Generated;
import io.berth.api.model.Kind;
import io.berth.api.model.Owner;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.spec.PodClaim;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.cluster.Stored;
import io.berth.sim.time.Chance;
import io.berth.sim.time.LateLook;
import io.berth.sim.time.VirtualTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Makes the claims that pods have from templates, says who uses a claim no longer, has those give
/// up their devices that nobody uses any more, and takes away those that are to be deleted. In a
/// storm it is late, and makes a claim some time before the pod tells of it.
public final class ClaimController implements ApiServer.Listener {
    private final ApiServer server;
    private final Chance chance;
    private final LateLook looks;
    private final Function<String, DeviceClaim> templates;
    private final Consumer<String> story;

    /// @param templates what is asked for, by the name of the template
    public ClaimController(
            ApiServer server,
            VirtualTime time,
            Chance chance,
            Function<String, DeviceClaim> templates,
            Consumer<String> story) {
        this.server = server;
        this.chance = chance;
        this.looks = new LateLook(time, chance, 2000, this::look);
        this.templates = templates;
        this.story = story;
        server.listen(this);
    }

    public void calm(boolean calm) {
        looks.calm(calm);
    }

    @Override
    public void changed(@Nullable Stored before, @Nullable Stored after) {
        var either = after == null ? before : after;
        boolean concerns =
                either != null
                        && switch (either.object()) {
                            case ResourceClaim _ -> true;
                            case Pod pod -> !pod.spec().resourceClaims().isEmpty();
                            default -> false;
                        };
        if (concerns) {
            looks.plan();
        }
    }

    private void look() {
        var unfinished = new HashSet<String>();
        server.pods().forEach(pod -> unfinished.add(pod.uid()));
        for (var stored : List.copyOf(server.list(Kind.RESOURCE_CLAIM))) {
            look((ResourceClaim) stored.object(), unfinished);
        }
        for (var pod : server.pods()) {
            for (var reference : pod.spec().resourceClaims()) {
                if (reference.templateName() != null && !pod.isTerminating()) {
                    make(pod, reference);
                }
            }
        }
    }

    // --- claims that are there

    private void look(ResourceClaim claim, Set<String> unfinished) {
        var users =
                claim.reservedFor().stream()
                        .filter(user -> unfinished.contains(user.uid()))
                        .toList();
        boolean isLeft = users.isEmpty() && !claim.reservedFor().isEmpty();
        boolean isOrphan =
                claim.controller() != null && !unfinished.contains(claim.controller().uid());
        if (users.size() < claim.reservedFor().size()) {
            server.put(
                    isLeft ? freed(claim) : claim.with(claim.allocation(), users, claim.devices()));
        } else if (claim.isTerminating() && users.isEmpty() && claim.allocation() != null) {
            server.put(freed(claim));
        } else if (claim.isTerminating() && users.isEmpty()) {
            story.accept("- device claim " + claim.key());
            server.remove(Kind.RESOURCE_CLAIM, claim.key());
        } else if (isOrphan && !claim.isTerminating()) {
            delete(server, claim);
        }
    }

    private ResourceClaim freed(ResourceClaim claim) {
        story.accept("freed device claim " + claim.key());
        return claim.with(null, List.of(), List.of());
    }

    /// Deletes a claim: at once where nobody protects it.
    public static void delete(ApiServer server, ResourceClaim claim) {
        if (!claim.isProtected()) {
            server.remove(Kind.RESOURCE_CLAIM, claim.key());
            return;
        }
        server.put(deleted(claim));
    }

    /// A claim that is to go when nobody needs it any more.
    public static ResourceClaim deleted(ResourceClaim claim) {
        return new ResourceClaim(
                claim.namespace(),
                claim.name(),
                claim.uid(),
                claim.resourceVersion(),
                claim.controller(),
                true,
                true,
                claim.isForExtendedResources(),
                claim.spec(),
                claim.allocation(),
                claim.reservedFor(),
                claim.devices());
    }

    /// A claim that nobody has yet.
    public static ResourceClaim made(
            String namespace, String name, String uid, @Nullable Owner owner, DeviceClaim spec) {
        return new ResourceClaim(
                namespace, name, uid, "", owner, false, false, false, spec, null, List.of(),
                List.of());
    }

    // --- claims from templates

    private void make(Pod pod, PodClaim reference) {
        var known = pod.generatedClaims();
        var told = known == null ? List.<Generated>of() : known.claims();
        if (told.stream().anyMatch(each -> each.name().equals(reference.name()))) {
            return;
        }
        var name = pod.name() + "-" + reference.name() + "-" + pod.uid();
        if (server.find(Kind.RESOURCE_CLAIM, pod.namespace() + "/" + name) == null) {
            story.accept("+ device claim " + name);
            server.put(
                    made(
                            pod.namespace(),
                            name,
                            server.newUid(),
                            new Owner("v1", "Pod", pod.name(), pod.uid()),
                            templates.apply(String.valueOf(reference.templateName()))));
            if (!looks.isCalm() && chance.happens(0.5)) {
                return;
            }
        }
        var extended = known == null ? null : known.extended();
        var all = new ArrayList<>(told);
        all.add(new Generated(reference.name(), name));
        server.change(
                pod.key(),
                pod.uid(),
                now -> now.toBuilder().generatedClaims(new GeneratedClaims(all, extended)).build());
    }
}
