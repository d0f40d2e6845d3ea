package io.berth.plugins.noderesources;

import io.berth.api.amount.Amounts;
import io.berth.api.amount.Quantity;
import io.berth.api.amount.ResourceName;
import io.berth.api.amount.Resources;
import io.berth.api.model.Pod;
import io.berth.api.relax.Edit;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxation;
import io.berth.api.relax.Relaxation.Change;
import io.berth.api.relax.Who;
import io.berth.api.spec.Container;
import io.berth.api.verdict.Lack;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Smaller requests that nodes without enough room would have room for: the least cuts first.
final class FitRelaxations {
    private static final long CPU_STEP_MILLIS = 50;
    private static final long BYTES_STEP = 64L << 20;
    private static final int MOST = 6;

    private final Pod pod;

    private FitRelaxations(Pod pod) {
        this.pod = pod;
    }

    static List<Relaxation> of(Pod pod, List<Obstacle> obstacles) {
        var relaxing = new FitRelaxations(pod);
        var smallest = new HashMap<String, Relaxation>();
        for (var lacks : new LinkedHashSet<>(obstacles.stream().map(Obstacle::lacks).toList())) {
            relaxing.cut(lacks)
                    .ifPresent(cut ->
                            smallest.merge(
                                    cut.family(),
                                    cut,
                                    (a, b) -> a.cutPercent() <= b.cutPercent() ? a : b));
        }
        return smallest.values().stream()
                .sorted(
                        Comparator.comparingInt(Relaxation::cutPercent)
                                .thenComparing(Relaxation::sentence))
                .limit(MOST)
                .toList();
    }

    /// Requests that a node with these lacks could meet; empty where none would do.
    private Optional<Relaxation> cut(List<Lack> lacks) {
        Pod cut = pod;
        var edits = new ArrayList<Edit>();
        var words = new ArrayList<String>();
        var family = new StringBuilder("requests");
        int percent = 0;
        for (var lack : lacks) {
            long target = rounded(lack.resource(), lack.available());
            if (target <= 0 || lack.resource().equals(Resources.PODS)) {
                return Optional.empty();
            }
            var changed = lowered(cut, lack, target);
            if (changed.isEmpty()) {
                return Optional.empty();
            }
            cut = changed.get().pod();
            edits.addAll(changed.get().edits());
            words.add(
                    "%s %s instead of %s"
                            .formatted(
                                    lack.resource(),
                                    Amounts.exact(lack.resource(), target),
                                    Amounts.exact(lack.resource(), lack.wanted())));
            family.append(' ').append(lack.resource());
            percent = Math.max(percent, percent(lack.wanted() - target, lack.wanted()));
        }
        return edits.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Relaxation(
                                "request %s (-%d %%)".formatted(String.join(", ", words), percent),
                                Who.OWNER,
                                new Change.OfPod(cut, edits),
                                family.toString(),
                                percent));
    }

    private static int percent(long part, long whole) {
        return (int) Math.max(1, Math.min(100, Math.round(100.0 * part / whole)));
    }

    /// Down to what people would write.
    private static long rounded(String resource, long available) {
        long step =
                resource.equals(Resources.CPU)
                        ? CPU_STEP_MILLIS
                        : Amounts.isBytes(resource) ? BYTES_STEP : 1;
        long steps = available - Math.floorMod(available, step);
        return steps > 0 ? steps : available;
    }

    private static Optional<Change.OfPod> lowered(Pod pod, Lack lack, long target) {
        var podLevel = pod.spec().podLevelRequests();
        if (podLevel != null && podLevel.containsKey(lack.resource())) {
            // Containers may not ask for more than their pod, so this would take several guesses.
            return Optional.empty();
        }
        var containers = new ArrayList<>(pod.spec().containers());
        int largest = largest(containers, lack.resource());
        if (largest < 0) {
            return Optional.empty();
        }
        var container = containers.get(largest);
        long asked = amount(container, lack.resource());
        long less = asked - (lack.wanted() - target);
        if (less <= 0) {
            return Optional.empty();
        }
        var edits = new ArrayList<Edit>();
        containers.set(largest, lowered(container, lack.resource(), less, largest, edits));
        var changed =
                pod.toBuilder().spec(pod.spec().toBuilder().containers(containers).build()).build();
        // What init containers need may still be too much.
        return changed.requests().exact().amount(lack.resource()) <= target
                ? Optional.of(new Change.OfPod(changed, edits))
                : Optional.empty();
    }

    private static int largest(List<Container> containers, String resource) {
        int largest = -1;
        long most = 0;
        for (int i = 0; i < containers.size(); i++) {
            long asked = amount(containers.get(i), resource);
            if (asked > most) {
                most = asked;
                largest = i;
            }
        }
        return largest;
    }

    private static long amount(Container container, String resource) {
        return Resources.of(container.requests()).amount(resource);
    }

    /// Extended resources and huge pages cannot be asked for without a limit of the same amount.
    private static Container lowered(
            Container container, String resource, long amount, int index, List<Edit> edits) {
        var text = Amounts.exact(resource, amount);
        var base = "/spec/containers/" + index + "/resources/";
        var requests = replaced(container.requests(), resource, text, base + "requests", edits);
        var limits = container.limits();
        if (ResourceName.isScalar(resource) && limits.containsKey(resource)) {
            limits = replaced(limits, resource, text, base + "limits", edits);
        }
        return container.withResources(requests, limits);
    }

    private static Map<String, Quantity> replaced(
            Map<String, Quantity> amounts,
            String resource,
            String text,
            String base,
            List<Edit> edits) {
        var result = new HashMap<>(amounts);
        var before = result.put(resource, Quantity.parse(text));
        edits.add(
                Edit.replace(
                        Edit.pointer(base, resource),
                        before == null ? "0" : shown(resource, before),
                        text));
        return result;
    }

    private static String shown(String resource, Quantity amount) {
        return Amounts.exact(
                resource, resource.equals(Resources.CPU) ? amount.milliValue() : amount.value());
    }
}
