package io.berth.api.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which pods a term of pod affinity means, and what pods of one template share.
final class AffinityTermTest {
    private static final LabelSelector WEB = LabelSelector.matching("app", "web");
    private static final Labels IS_WEB = Labels.of("app", "web");

    private static boolean means(Affinity.PodTerm term, String namespace, Labels labels) {
        return term.matches("own", namespace, Labels.of("team", namespace), labels);
    }

    @Test
    @Tag("E-5")
    void withoutNamespacesTheOwnOneIsMeant() {
        var term = new Affinity.PodTerm(WEB, Set.of(), null, "zone");
        assertThat(means(term, "own", IS_WEB)).isTrue();
        assertThat(means(term, "other", IS_WEB)).isFalse();
    }

    @Test
    @Tag("E-5")
    void listedNamespacesReplaceTheOwnOne() {
        var term = new Affinity.PodTerm(WEB, Set.of("a", "b"), null, "zone");
        assertThat(means(term, "a", IS_WEB)).isTrue();
        assertThat(means(term, "b", IS_WEB)).isTrue();
        assertThat(means(term, "own", IS_WEB)).isFalse();
    }

    @Test
    @Tag("E-5")
    void selectedNamespacesComeBesideListedOnes() {
        var selector = LabelSelector.matching("team", "b");
        var term = new Affinity.PodTerm(WEB, Set.of("a"), selector, "zone");
        assertThat(means(term, "a", IS_WEB)).isTrue();
        assertThat(means(term, "b", IS_WEB)).isTrue();
        assertThat(means(term, "c", IS_WEB)).isFalse();
        var selected = new Affinity.PodTerm(WEB, Set.of(), selector, "zone");
        assertThat(means(selected, "b", IS_WEB)).isTrue();
        assertThat(means(selected, "own", IS_WEB)).isFalse();
    }

    @Test
    @Tag("E-5")
    void labelSelectorDecidesToo() {
        var term = new Affinity.PodTerm(WEB, Set.of("a"), null, "zone");
        assertThat(means(term, "a", Labels.of("app", "db"))).isFalse();
    }

    @Test
    @Tag("E-5")
    void missingSelectorMatchesNothingAndAnEmptyOneEverything() {
        var nothing = new Affinity.PodTerm(LabelSelector.NOTHING, Set.of("a"), null, "zone");
        assertThat(means(nothing, "a", IS_WEB)).isFalse();
        var everything = new Affinity.PodTerm(LabelSelector.EVERYTHING, Set.of("a"), null, "zone");
        assertThat(means(everything, "a", IS_WEB)).isTrue();
        assertThat(means(everything, "a", Labels.EMPTY)).isTrue();
    }

    /// What upstream copies and caches with each pod is here a part of the spec.
    @Test
    @Tag("E-4")
    void copyOfAPodSharesItsTermsAndRequests() {
        var spec =
                PodSpec.builder()
                        .container(Container.of("c", "i", Map.of("cpu", Quantity.parse("100m"))))
                        .affinity(
                                new Affinity(
                                        null,
                                        List.of(),
                                        false,
                                        true,
                                        List.of(new Affinity.PodTerm(WEB, Set.of(), null, "zone")),
                                        List.of(),
                                        List.of(),
                                        List.of()))
                        .build();
        var pod = Pod.builder("own", "p").uid("u").spec(spec).build();
        var copy = pod.onNode("a");
        assertThat(copy.spec()).isSameAs(pod.spec());
        assertThat(copy.requests()).isSameAs(pod.requests());
        assertThat(copy.spec().affinity().requiredPods()).hasSize(1);
    }

    @Test
    @Tag("E-4")
    void otherSpecIsReadAnew() {
        var small = Map.of("cpu", Quantity.parse("100m"));
        var large = Map.of("cpu", Quantity.parse("1"));
        var pod =
                Pod.builder("own", "p")
                        .spec(PodSpec.builder().container(Container.of("c", "i", small)).build())
                        .build();
        assertThat(pod.requests().exact().cpuMillis()).isEqualTo(100);
        var resized =
                pod.toBuilder()
                        .spec(PodSpec.builder().container(Container.of("c", "i", large)).build())
                        .build();
        assertThat(resized.requests().exact().cpuMillis()).isEqualTo(1000);
    }
}
