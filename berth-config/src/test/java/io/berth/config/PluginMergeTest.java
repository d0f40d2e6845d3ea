package io.berth.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.plugin.EnabledPlugin;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PluginMergeTest {
    @Test
    @Tag("P-83")
    void theFilesEntryTakesThePlaceOfTheDefault() {
        var defaults = set("A", "B", "C");
        assertThat(merge(defaults, List.of(new EnabledPlugin("B", 7), EnabledPlugin.of("X"))))
                .containsExactly(
                        EnabledPlugin.of("A"),
                        new EnabledPlugin("B", 7),
                        EnabledPlugin.of("C"),
                        EnabledPlugin.of("X"));
    }

    @Test
    @Tag("P-83")
    @Tag("P-84")
    void aDisabledNameLeavesItsPlaceAndAnEnabledOneComesBackLast() {
        assertThat(merge(set("A", "B"), List.of(EnabledPlugin.of("A")), "A"))
                .containsExactly(EnabledPlugin.of("B"), EnabledPlugin.of("A"));
        assertThat(merge(set("A", "B"), List.of(EnabledPlugin.of("X")), "*"))
                .containsExactly(EnabledPlugin.of("X"));
    }

    @Test
    @Tag("P-83")
    void aNameGivenTwiceStaysTwice() {
        assertThat(merge(set("A"), List.of(EnabledPlugin.of("X"), EnabledPlugin.of("X"))))
                .hasSize(3);
        assertThat(merge(set("A"), List.of(new EnabledPlugin("A", 1), new EnabledPlugin("A", 2))))
                .containsExactly(new EnabledPlugin("A", 2), new EnabledPlugin("A", 1));
    }

    @Test
    void whatIsConfiguredAnewIsKnownForTheLog() {
        var custom =
                new PluginSet(List.of(EnabledPlugin.of("B"), EnabledPlugin.of("X")), List.of());
        assertThat(PluginMerge.overridden(set("A", "B"), custom)).containsExactly("B");
        assertThat(
                        PluginMerge.overridden(
                                set("A", "B"), new PluginSet(custom.enabled(), List.of("*"))))
                .isEmpty();
    }

    private static PluginSet set(String... names) {
        return new PluginSet(
                java.util.stream.Stream.of(names).map(EnabledPlugin::of).toList(), List.of());
    }

    private static List<EnabledPlugin> merge(
            PluginSet defaults, List<EnabledPlugin> enabled, String... disabled) {
        return PluginMerge.merge(defaults, new PluginSet(enabled, List.copyOf(Set.of(disabled))))
                .enabled();
    }
}
