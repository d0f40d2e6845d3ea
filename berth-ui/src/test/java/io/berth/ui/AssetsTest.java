package io.berth.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class AssetsTest {
    private static final Pattern IMPORT = Pattern.compile("(?:from|import)\\s*['\"]([^'\"]+)['\"]");

    private final Assets assets = new Assets();

    @Test
    void everyFileOfThePageIsServedAndNoOther() throws IOException, URISyntaxException {
        var index = Objects.requireNonNull(Assets.class.getResource("page/index.html"));
        var folder = Objects.requireNonNull(Path.of(index.toURI()).getParent());
        var there = new TreeSet<String>();
        try (var files = Files.walk(folder)) {
            files.filter(Files::isRegularFile)
                    .forEach(file -> there.add(folder.relativize(file).toString()));
        }
        assertThat(there).containsExactlyInAnyOrderElementsOf(Assets.FILES);
        for (var name : Assets.FILES) {
            assertThat(assets.answer(Lab.get("/ui/" + name, Map.of())).status())
                    .as(name)
                    .isEqualTo(200);
        }
        assertThat(assets.answer(Lab.get("/ui/../Assets.class", Map.of())).status()).isEqualTo(404);
        assertThat(assets.answer(Lab.get("/ui/other.js", Map.of())).status()).isEqualTo(404);
    }

    /// A name that no file answers to would be a blank page.
    @Test
    void everyImportIsAFileOrInTheTableOfNames() {
        var index = text("index.html");
        for (var name : Assets.FILES) {
            if (name.endsWith(".js") && !name.startsWith("lib/")) {
                IMPORT.matcher(text(name))
                        .results()
                        .map((MatchResult found) -> found.group(1))
                        .forEach(imported -> {
                            if (imported.startsWith("./")) {
                                assertThat(Assets.FILES).as(name).contains(imported.substring(2));
                            } else {
                                assertThat(index).as(name).contains('"' + imported + '"');
                            }
                        });
            }
        }
    }

    @Test
    void noOtherHostIsEverAsked() {
        var reply = assets.answer(Lab.get("/ui/", Map.of()));
        assertThat(reply.headers().get("Content-Security-Policy"))
                .startsWith("default-src 'none'; script-src 'self' 'sha256-")
                .doesNotContain("unsafe")
                .doesNotContain("http");
        for (var name : Assets.FILES) {
            if (!name.startsWith("lib/") && !name.equals("icon.svg")) {
                assertThat(text(name))
                        .as(name)
                        .doesNotContain("http://")
                        .doesNotContain("https://");
            }
        }
    }

    @Test
    void aFileThatTheBrowserHasIsNotSentAgain() {
        var first = assets.answer(Lab.get("/ui/app.js", Map.of()));
        var tag = Objects.requireNonNull(first.headers().get("ETag"));
        var again =
                assets.answer(
                        Lab.call("GET", "/ui/app.js", Map.of(), Map.of("If-None-Match", tag), ""));
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @Test
    void thePageIsReadAndNothingElse() {
        assertThat(assets.answer(Lab.call("PUT", "/ui/", Map.of(), Map.of(), "x")).status())
                .isEqualTo(405);
    }

    private String text(String name) {
        return assets.answer(Lab.get("/ui/" + name, Map.of())).text();
    }
}
