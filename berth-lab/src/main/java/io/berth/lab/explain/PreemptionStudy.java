package io.berth.lab.explain;

import io.berth.api.model.Pod;
import io.berth.api.relax.Edit;
import io.berth.api.relax.PreemptionPreview.Option;
import io.berth.api.relax.PreemptionPreview.Preview;
import io.berth.api.relax.Who;
import io.berth.lab.Twin;
import io.berth.lab.explain.Fix.Victim;
import io.berth.lab.explain.PodExplanation.PreemptionReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// What preemption would come to: with the pod's own priority, and with a higher one.
final class PreemptionStudy {
    private static final int MOST_OPTIONS = 3;
    private static final int MOST_CLASSES = 8;

    private final Twin twin;
    private final Trials trials;
    private final Pod pod;

    /// What the pod's own priority comes to, once it was asked for.
    private Optional<Preview> own = Optional.empty();

    private boolean wasAsked;

    PreemptionStudy(Twin twin, Trials trials, Pod pod) {
        this.twin = twin;
        this.trials = trials;
        this.pod = pod;
    }

    /// With the priority that the pod has.
    Optional<PreemptionReport> report() {
        return own().map(this::report);
    }

    private Optional<Preview> own() {
        if (!wasAsked) {
            own = preview(pod);
            wasAsked = true;
        }
        return own;
    }

    private Optional<Preview> preview(Pod preemptor) {
        return Trials.ask(twin, queries -> queries.preemption(preemptor, MOST_OPTIONS));
    }

    private PreemptionReport report(Preview preview) {
        if (!preview.ineligible().isEmpty()) {
            return new PreemptionReport(false, preview.ineligible(), List.of());
        }
        if (preview.options().isEmpty()) {
            return new PreemptionReport(
                    true,
                    "no eviction of pods with a priority below %d makes room"
                            .formatted(pod.spec().priority()),
                    List.of());
        }
        var options = preview.options().stream().map(option -> option(pod, option)).toList();
        var first = options.getFirst();
        return new PreemptionReport(
                true,
                "would evict %s from %s".formatted(names(first.victims()), first.node()),
                options);
    }

    private PreemptionReport.Option option(Pod preemptor, Option option) {
        var victims = replaced(preemptor, option);
        return new PreemptionReport.Option(
                option.node(),
                victims,
                option.violations(),
                (int) victims.stream().filter(victim -> !victim.newNode().isEmpty()).count());
    }

    /// Looks for new places for the victims, one after the other, with the pod in their place.
    private List<Victim> replaced(Pod preemptor, Option option) {
        var victims = new ArrayList<Victim>();
        var settled = new ArrayList<Pod>();
        settled.add(preemptor.onNode(option.node()));
        for (var victim : option.victims()) {
            var homeless = homeless(victim);
            var change =
                    new Change(homeless, List.of(), option.victims(), withUids(settled), List.of());
            var place = trials.first(change).orElse("");
            if (!place.isEmpty()) {
                settled.add(homeless.onNode(place));
            }
            victims.add(new Victim(victim.key(), victim.spec().priority(), place));
        }
        return victims;
    }

    /// As its owner would make it again.
    private static Pod homeless(Pod victim) {
        return victim.toBuilder()
                .nodeName("")
                .phase("Pending")
                .uid(victim.uid() + "-again")
                .name(victim.name() + "-again")
                .build();
    }

    /// Other names than those of pods that the twin knows, so that taking them back is easy.
    private static List<Pod> withUids(List<Pod> pods) {
        return pods.stream()
                .map(pod ->
                        pod.toBuilder()
                                .name(pod.name() + "-placed")
                                .uid(pod.uid() + "-placed")
                                .build())
                .toList();
    }

    /// Evicting with the pod's own priority, and the lowest class that would make room.
    List<Fix> fixes(List<PriorityClass> classes) {
        var fixes = new ArrayList<Fix>();
        own().ifPresent(known ->
                known.options().stream().limit(1).forEach(option -> add(fixes, pod, option, "")));
        if (!fixes.isEmpty()) {
            return fixes;
        }
        classes.stream()
                .filter(higher -> higher.value() > pod.spec().priority())
                .filter(higher -> !higher.name().startsWith("system-"))
                .sorted(Comparator.comparingInt(PriorityClass::value))
                .limit(MOST_CLASSES)
                .filter(higher -> fixes.isEmpty() && higher.preempts())
                .forEach(higher -> {
                    var raised = raised(higher);
                    preview(raised)
                            .ifPresent(preview ->
                                    preview.options().stream()
                                            .limit(1)
                                            .forEach(o -> add(fixes, raised, o, higher.name())));
                });
        return fixes;
    }

    private Pod raised(PriorityClass higher) {
        return pod.toBuilder()
                .spec(pod.spec().toBuilder().priority(higher.value()).mayPreempt(true).build())
                .build();
    }

    private void add(List<Fix> fixes, Pod preemptor, Option option, String className) {
        var change = Change.of(preemptor).without(option.victims());
        var room = trials.room(change);
        if (room.isNone()) {
            return;
        }
        var victims = replaced(preemptor, option);
        fixes.add(
                new Fix(
                        0,
                        sentence(option, className, victims),
                        Who.VICTIMS,
                        100,
                        className.isEmpty()
                                ? Fix.Patch.NONE
                                : Fix.Patch.ofPod(
                                        List.of(Edit.add("/spec/priorityClassName", className))),
                        room.nodes(),
                        option.node(),
                        "",
                        victims,
                        change));
    }

    private static String sentence(Option option, String className, List<Victim> victims) {
        long placed = victims.stream().filter(victim -> !victim.newNode().isEmpty()).count();
        var budgets =
                option.violations() == 0
                        ? ""
                        : ", %d against a disruption budget".formatted(option.violations());
        return "%s evict %s from %s (find a new place: %d of %d%s)"
                .formatted(
                        className.isEmpty()
                                ? "by its priority it may"
                                : "with priorityClass " + className + " it would",
                        names(victims),
                        option.node(),
                        placed,
                        victims.size(),
                        budgets);
    }

    private static String names(List<Victim> victims) {
        var first = victims.stream().limit(2).map(Victim::pod).collect(Collectors.joining(", "));
        return victims.size() <= 2 ? first : first + " and " + (victims.size() - 2) + " more";
    }
}
