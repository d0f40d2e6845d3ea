package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("P-320")
class GateEffectsTest {
    private static final Pattern ASKED = Pattern.compile("isOn\\(\"([A-Za-z0-9]+)\"\\)");

    @Test
    void gatesWithoutEffectAreKnown() {
        assertThat(Options.of().gates().all().keySet()).containsAll(GateEffects.WITHOUT);
    }

    /// Looks into the source: whoever begins to ask for a gate has to strike it off the list.
    @Test
    void noGateThatIsAskedForIsCalledWithoutEffect() throws IOException {
        Set<String> asked;
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            asked =
                    files.filter(Files::isRegularFile)
                            .flatMap(file -> ASKED.matcher(text(file)).results())
                            .map((MatchResult found) -> found.group(1))
                            .collect(Collectors.toSet());
        }
        assertThat(asked).contains("WatchListClient", "ComponentFlagz");
        assertThat(asked).doesNotContainAnyElementsOf(GateEffects.WITHOUT);
    }

    @Test
    void gateChangedInVainIsTold() {
        var options = Options.of("--feature-gates=GenericWorkload=true,WatchListClient=false");
        assertThat(GateEffects.without(options.gates())).containsOnlyKeys("GenericWorkload");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
