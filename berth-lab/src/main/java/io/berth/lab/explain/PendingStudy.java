package io.berth.lab.explain;

import io.berth.api.label.Labels;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.lab.explain.PendingReport.By;
import io.berth.lab.explain.PendingReport.Cause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Judges all pods that wait, those of one template once, and groups them by what they wait for.
public final class PendingStudy {
    private static final Question SHORT = new Question(List.of(), false, 1, false, false);
    private static final int MOST_TEMPLATES = 1000;
    private static final int MOST_EXAMPLES = 3;

    private final ClusterStudy study;
    private final By by;
    private final Map<Template, Optional<Verdict>> verdicts = new HashMap<>();
    private final Map<Key, Members> groups = new LinkedHashMap<>();
    private boolean isCut;

    private record Template(String namespace, PodSpec spec, Labels labels, String nominated) {}

    private record Verdict(Category category, String plugin, String text) {}

    private record Key(Category category, String plugin, String text, String by) {}

    private static final class Members {
        private int count;
        private @Nullable Instant oldest;
        private final List<String> examples = new ArrayList<>();

        void add(Pod pod) {
            count++;
            var created = pod.createdAt();
            if (created != null && (oldest == null || created.isBefore(oldest))) {
                oldest = created;
            }
            if (examples.size() < MOST_EXAMPLES) {
                examples.add(pod.key());
            }
        }
    }

    public PendingStudy(ClusterStudy study, By by) {
        this.study = study;
        this.by = by;
    }

    /// @param pods those that are of interest
    public PendingReport report(List<Pod> pods) {
        for (var pod : pods) {
            verdict(pod)
                    .ifPresent(verdict ->
                            groups.computeIfAbsent(key(verdict, pod), _ -> new Members()).add(pod));
        }
        return new PendingReport(study.source(), pods.size(), isCut, causes(), study.uncertain());
    }

    private Optional<Verdict> verdict(Pod pod) {
        var template =
                new Template(pod.namespace(), pod.spec(), pod.labels(), pod.nominatedNodeName());
        var known = verdicts.get(template);
        if (known != null) {
            return known;
        }
        if (verdicts.size() >= MOST_TEMPLATES) {
            isCut = true;
            return Optional.empty();
        }
        var judged = Optional.of(judge(pod));
        verdicts.put(template, judged);
        return judged;
    }

    private Verdict judge(Pod pod) {
        PodExplanation told;
        try {
            told = study.explain(pod, SHORT);
        } catch (ExplainException broken) {
            return new Verdict(Category.ERROR, "", broken.sentence());
        }
        var category = told.phase().category();
        var first = Phases.telling(category, told.groups());
        boolean isAboutNodes = told.choice().isEmpty() && category != Category.GATED;
        if (first.isEmpty() || !isAboutNodes) {
            return new Verdict(category, "", told.phase().sentence());
        }
        return new Verdict(category, first.get().filters().getFirst(), text(first.get()));
    }

    /// What the filters of the nearest group say, lacks with the most that there is.
    private static String text(Group group) {
        return group.filters().stream()
                .map(plugin -> text(group, plugin))
                .collect(Collectors.joining("; "));
    }

    private static String text(Group group, String plugin) {
        var lacks =
                group.reasons().stream()
                        .filter(reason -> reason.plugin().equals(plugin))
                        .filter(reason -> reason.count() * 2 >= group.count())
                        .map(Group.Reason::lack)
                        .filter(Objects::nonNull)
                        .map(Details::atMost)
                        .collect(Collectors.joining(", "));
        if (!lacks.isEmpty()) {
            return lacks;
        }
        return group.details().stream()
                .filter(detail -> detail.plugin().equals(plugin))
                .map(Group.Detail::text)
                .findFirst()
                .orElse(plugin);
    }

    private Key key(Verdict verdict, Pod pod) {
        return switch (by) {
            case REASON -> new Key(verdict.category, verdict.plugin, verdict.text, "");
            case PLUGIN -> new Key(verdict.category, verdict.plugin, "", "");
            case OWNER -> new Key(verdict.category, verdict.plugin, verdict.text, owner(pod));
        };
    }

    static String owner(Pod pod) {
        var controller = pod.controller();
        return controller == null
                ? pod.namespace() + "/ (no owner)"
                : pod.namespace() + "/" + controller.kind() + " " + controller.name();
    }

    private List<Cause> causes() {
        return groups.entrySet().stream()
                .map(entry -> cause(entry.getKey(), entry.getValue()))
                .sorted(
                        Comparator.comparingInt((Cause cause) -> -cause.count())
                                .thenComparing(Cause::category)
                                .thenComparing(Cause::text))
                .toList();
    }

    private static Cause cause(Key key, Members members) {
        return new Cause(
                key.category,
                key.plugin,
                key.text,
                key.by,
                members.count,
                members.oldest,
                members.examples);
    }
}
