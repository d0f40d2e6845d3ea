package io.berth.app.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.config.text.GoText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Berth and kube-scheduler say the same about the same command line. What kube-scheduler says was
/// written down once, in two files beside this class.
class UpstreamCommandLinesTest {
    private static final Pattern LOGGED =
            Pattern.compile("E\\d{4} \\S+ +\\d+ \\S+\\] \"command failed\" err=(.*)");
    private static final Pattern FLAG =
            Pattern.compile("  (?:    |-\\w, )--([\\w-]+)(?: (\\S+))?   +(.*)");
    private static final Pattern DEFAULT = Pattern.compile(".* \\(default (.*)\\)");

    record Fact(String line, int exitCode, String form, String text) {
        @Override
        public String toString() {
            return line;
        }
    }

    static Stream<Fact> facts() throws IOException {
        List<String> lines = resource("upstream-command-lines.txt");
        var facts = new ArrayList<Fact>();
        for (int i = 0; i < lines.size(); i += 2) {
            String[] said = lines.get(i + 1).substring(2).split(" ", 3);
            facts.add(
                    new Fact(
                            lines.get(i),
                            Integer.parseInt(said[0]),
                            said[1],
                            said.length < 3 ? "" : said[2]));
        }
        return facts.stream();
    }

    @ParameterizedTest
    @MethodSource("facts")
    @Tag("P-3")
    @Tag("P-5")
    @Tag("P-6")
    @Tag("P-10")
    @Tag("P-14")
    @Tag("P-20")
    @Tag("P-23")
    @Tag("P-26")
    @Tag("P-27")
    @Tag("P-49")
    @Tag("P-51")
    void sameTextSameFormSameExitCode(Fact fact) {
        Invocation call =
                Invocation.of(
                        fact.line().isEmpty() ? List.of() : List.of(fact.line().split(" ", -1)));
        assertThat(call.exitCode()).isEqualTo(fact.exitCode());
        switch (fact.form()) {
            case "usage" -> {
                assertThat(call.err()).startsWith("Usage:\n").endsWith("\n" + fact.text() + "\n");
                assertThat(call.out()).isEmpty();
            }
            case "error", "plain" -> assertThat(call.err()).isEqualTo(fact.text() + "\n");
            case "log" -> {
                Matcher logged = LOGGED.matcher(call.lastWords());
                assertThat(logged.matches()).as(call.lastWords()).isTrue();
                assertThat(logged.group(1)).isEqualTo(GoText.quote(fact.text()));
                assertThat(call.err()).isEmpty();
            }
            case "out" -> assertThat(call.out()).startsWith(fact.text() + "\n");
            default -> throw new IllegalStateException(fact.form());
        }
    }

    @Test
    @Tag("P-13")
    @Tag("P-9")
    void everyFlagIsThereInTheSameGroupWithTheSameTypeAndDefault() throws IOException {
        assertThat(flagsInHelp()).containsAll(resource("upstream-flags.txt"));
    }

    @Test
    @Tag("P-12")
    @Tag("P-13")
    void groupsAndFlagsHaveTheSameOrder() throws IOException {
        List<String> upstream = resource("upstream-flags.txt");
        List<String> ours = flagsInHelp();
        ours.retainAll(upstream);
        assertThat(ours).isEqualTo(upstream);
    }

    private static List<String> flagsInHelp() {
        Invocation help = Invocation.of("--help");
        assertThat(help.exitCode()).isZero();
        var flags = new ArrayList<String>();
        String group = "";
        for (String line : help.out().lines().toList()) {
            Matcher flag = FLAG.matcher(line);
            if (line.endsWith(" flags:")) {
                group =
                        Character.toLowerCase(line.charAt(0))
                                + line.substring(1, line.length() - 7);
            } else if (!group.isEmpty() && flag.matches()) {
                Matcher byDefault = DEFAULT.matcher(flag.group(3));
                flags.add(
                        "%s: --%s %s %s"
                                .formatted(
                                        group,
                                        flag.group(1),
                                        Objects.requireNonNullElse(flag.group(2), "-"),
                                        byDefault.matches() ? byDefault.group(1) : "-"));
            }
        }
        return flags;
    }

    private static List<String> resource(String name) throws IOException {
        try (InputStream in = UpstreamCommandLinesTest.class.getResourceAsStream(name)) {
            return new String(
                            Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }
}
