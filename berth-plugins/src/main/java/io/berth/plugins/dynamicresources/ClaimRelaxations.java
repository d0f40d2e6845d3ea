package io.berth.plugins.dynamicresources;

import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.DeviceToleration;
import io.berth.api.handle.Handle;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceSlice;
import io.berth.api.relax.Edit;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxation;
import io.berth.api.relax.Relaxation.Change;
import io.berth.api.relax.Who;
import io.berth.api.spec.PodClaim;
import io.berth.api.spec.Taint;
import io.berth.api.spec.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// What a pod could do without in its claims for devices: some of the devices, a selector, a
/// constraint; or put up with, such as a taint. The least cuts first.
final class ClaimRelaxations {
    private static final int MOST_NODES = 100;
    private static final int MOST_OTHERS = 3;

    private final Handle handle;
    private final LesserClaims lesser;
    private final List<Obstacle> obstacles;
    private final List<Relaxation> found = new ArrayList<>();

    ClaimRelaxations(Handle handle, LesserClaims lesser, List<Obstacle> obstacles) {
        this.handle = handle;
        this.lesser = lesser;
        this.obstacles = obstacles;
    }

    /// One claim of a pod, and where its wishes are written down.
    ///
    /// @param open all claims that have no devices yet
    /// @param index of this one among them
    private record Wish(List<ResourceClaim> open, int index, String target, String base) {
        ResourceClaim claim() {
            return open.get(index);
        }

        String at(int request) {
            return base + "/requests/" + request + "/exactly";
        }
    }

    /// @param claims in the order of the pod's references to them
    List<Relaxation> of(Pod pod, List<ResourceClaim> claims) {
        var open = claims.stream().filter(claim -> claim.allocation() == null).toList();
        for (int i = 0; i < open.size(); i++) {
            propose(wish(pod, open, i));
        }
        return found;
    }

    /// A claim that was made from a template is asked for in the template.
    private static Wish wish(Pod pod, List<ResourceClaim> open, int index) {
        var claim = open.get(index);
        var generated = pod.generatedClaims();
        if (generated != null) {
            for (var each : generated.claims()) {
                if (claim.name().equals(each.claimName())) {
                    for (PodClaim reference : pod.spec().resourceClaims()) {
                        if (reference.name().equals(each.name())
                                && reference.templateName() != null) {
                            return new Wish(
                                    open,
                                    index,
                                    "ResourceClaimTemplate %s/%s"
                                            .formatted(pod.namespace(), reference.templateName()),
                                    "/spec/spec/devices");
                        }
                    }
                }
            }
        }
        return new Wish(open, index, "ResourceClaim " + claim.key(), "/spec/devices");
    }

    private void propose(Wish wish) {
        var spec = wish.claim().spec();
        for (int i = 0; i < spec.requests().size(); i++) {
            var ask = spec.requests().get(i).exactly();
            if (ask != null) {
                otherClass(wish, i, ask);
                fewer(wish, i, ask);
                withoutSelectors(wish, i, ask);
                tolerate(wish, i, ask);
            }
        }
        for (int i = 0; i < spec.constraints().size(); i++) {
            withoutConstraint(wish, i);
        }
    }

    private void otherClass(Wish wish, int request, Ask ask) {
        var classes = handle.listers().of(Kind.DEVICE_CLASS, DeviceClass.class);
        if (classes.get(ask.deviceClass()) != null) {
            return;
        }
        var names = new TreeSet<String>();
        classes.all().forEach(each -> names.add(each.name()));
        names.stream()
                .limit(MOST_OTHERS)
                .forEach(name ->
                        add(
                                "ask for class %s instead of %s, which is not there"
                                        .formatted(name, ask.deviceClass()),
                                wish,
                                new Ask(
                                        ask.name(),
                                        name,
                                        ask.selectors(),
                                        ask.mode(),
                                        ask.count(),
                                        ask.adminAccess(),
                                        ask.tolerations(),
                                        ask.capacity()),
                                request,
                                60,
                                Edit.replace(
                                        wish.at(request) + "/deviceClassName",
                                        ask.deviceClass(),
                                        name)));
    }

    private void fewer(Wish wish, int request, Ask ask) {
        if (ask.isForAll()) {
            change(
                    "ask for 1 device instead of all" + of(wish, request),
                    wish,
                    LesserClaims.counting(wish.claim(), request, 1),
                    90,
                    List.of(
                            Edit.replace(
                                    wish.at(request) + "/allocationMode", Ask.ALL, Ask.EXACT_COUNT),
                            Edit.add(wish.at(request) + "/count", 1)));
            return;
        }
        long most =
                obstacles.stream()
                        .limit(MOST_NODES)
                        .mapToLong(obstacle ->
                                lesser.most(obstacle.node(), wish.open, wish.index, request))
                        .max()
                        .orElse(-1);
        if (most > 0) {
            int percent = (int) Math.round(100.0 * (ask.count() - most) / ask.count());
            change(
                    "ask for %d instead of %d devices%s (-%d %%)"
                            .formatted(most, ask.count(), of(wish, request), percent),
                    wish,
                    LesserClaims.counting(wish.claim(), request, most),
                    percent,
                    List.of(Edit.replace(wish.at(request) + "/count", ask.count(), most)));
        }
    }

    private static String of(Wish wish, int request) {
        return " in request %s of claim %s"
                .formatted(wish.claim().spec().requests().get(request).name(), wish.claim().name());
    }

    private void withoutSelectors(Wish wish, int request, Ask ask) {
        for (int i = 0; i < ask.selectors().size(); i++) {
            var left = new ArrayList<>(ask.selectors());
            var gone = left.remove(i);
            add(
                    "drop selector %s%s".formatted(gone, of(wish, request)),
                    wish,
                    new Ask(
                            ask.name(),
                            ask.deviceClass(),
                            left,
                            ask.mode(),
                            ask.count(),
                            ask.adminAccess(),
                            ask.tolerations(),
                            ask.capacity()),
                    request,
                    80,
                    Edit.remove(wish.at(request) + "/selectors/" + i, gone));
        }
    }

    private void tolerate(Wish wish, int request, Ask ask) {
        var taints = new TreeSet<String>();
        for (var slice : handle.listers().of(Kind.RESOURCE_SLICE, ResourceSlice.class).all()) {
            for (var device : slice.devices()) {
                for (var taint : device.taints()) {
                    if (taint.keepsPodsAway()
                            && ask.tolerations().stream().noneMatch(t -> t.tolerates(taint))
                            && taints.size() < MOST_OTHERS
                            && taints.add(text(taint))) {
                        tolerate(wish, request, ask, taint);
                    }
                }
            }
        }
    }

    private void tolerate(Wish wish, int request, Ask ask, Taint taint) {
        var more = new ArrayList<>(ask.tolerations());
        more.add(
                new DeviceToleration(
                        taint.key(), Toleration.EQUAL, taint.value(), taint.effect(), null));
        var fields =
                Edit.fields(
                        "key", taint.key(),
                        "operator", Toleration.EQUAL,
                        "value", taint.value(),
                        "effect", taint.effect());
        var path = wish.at(request) + "/tolerations";
        add(
                "tolerate devices with %s%s".formatted(text(taint), of(wish, request)),
                wish,
                new Ask(
                        ask.name(),
                        ask.deviceClass(),
                        ask.selectors(),
                        ask.mode(),
                        ask.count(),
                        ask.adminAccess(),
                        more,
                        ask.capacity()),
                request,
                50,
                ask.tolerations().isEmpty()
                        ? Edit.add(path, List.of(fields))
                        : Edit.add(path + "/-", fields));
    }

    private static String text(Taint taint) {
        return "taint %s%s:%s"
                .formatted(
                        taint.key(),
                        taint.value().isEmpty() ? "" : "=" + taint.value(),
                        taint.effect());
    }

    private void withoutConstraint(Wish wish, int index) {
        var spec = wish.claim().spec();
        var left = new ArrayList<>(spec.constraints());
        var gone = left.remove(index);
        var words =
                gone.matchAttribute() != null
                        ? "one " + gone.matchAttribute()
                        : "distinct " + gone.distinctAttribute();
        change(
                "drop the constraint to %s in claim %s".formatted(words, wish.claim().name()),
                wish,
                LesserClaims.with(
                        wish.claim(), new DeviceClaim(spec.requests(), left, spec.config())),
                70,
                List.of(Edit.remove(wish.base + "/constraints/" + index, null)));
    }

    private void add(String sentence, Wish wish, Ask ask, int request, int cutPercent, Edit edit) {
        change(
                sentence,
                wish,
                LesserClaims.asking(wish.claim(), request, ask),
                cutPercent,
                List.of(edit));
    }

    private void change(
            String sentence, Wish wish, ResourceClaim changed, int cutPercent, List<Edit> edits) {
        found.add(
                new Relaxation(
                        sentence,
                        Who.OWNER,
                        new Change.OfObjects(List.of(changed), wish.target, edits),
                        "",
                        cutPercent));
    }
}
