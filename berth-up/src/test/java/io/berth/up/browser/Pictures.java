package io.berth.up.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Takes pictures of every view of the page behind a link: wide and narrow, light and dark.
///
/// ```
/// java … io.berth.up.browser.Pictures LINK FOLDER     all of them
/// java … io.berth.up.browser.Pictures LINK FILE.png   the one of the README
/// ```
final class Pictures {
    /// How each view is reached, and what is there once it is.
    static final Map<String, String> VIEWS =
            Map.of(
                    "pending", "document.querySelector('.causes tbody tr')",
                    "map", "document.querySelector('canvas')?.dataset.drawn > 0",
                    "log", "document.querySelector('.log tbody tr')",
                    "play", "document.querySelector('.placements tbody tr')");

    private Pictures() {}

    public static void main(String... words) throws IOException {
        var folder = Path.of(words[1]);
        try (var browser = Chromium.start(Chromium.find().orElseThrow());
                var tab = browser.open()) {
            if (words[1].endsWith(".png")) {
                tab.size(1280, 560);
                tab.go(words[0]);
                tab.await("document.querySelector('.causes tr:has(.bad, .warn)')");
                tab.await("document.querySelector('canvas')?.dataset.drawn > 0");
                tab.await("document.querySelector('.facts')?.innerText.includes('live')");
                Files.write(folder, tab.picture());
                return;
            }
            take(tab, words[0], -1, folder);
            tab.complaints().forEach(System.err::println);
        }
    }

    /// @param waiting how many pods wait once all others have their places; -1 if nobody knows
    static void take(Tab tab, String link, int waiting, Path folder) throws IOException {
        Files.createDirectories(folder);
        tab.size(1280, 800);
        tab.go(link);
        // Those that are only to wait for their turn are gone in a moment.
        tab.await("document.querySelector('.causes tr:has(.bad, .warn)')");
        if (waiting >= 0) {
            tab.awaitText("h1", waiting + " pods waiting");
            tab.await("!document.querySelector('.causes').innerText.includes('Waiting for turn')");
        }
        var pod =
                tab.value(
                                "document.querySelector('.causes tr:has(.bad, .warn) .cause a').getAttribute('href')")
                        .asText();
        var key = tab.value("decodeURIComponent('%s'.slice(6))".formatted(pod)).asText();
        for (var scheme : List.of("light", "dark")) {
            tab.scheme(scheme);
            for (int width : List.of(1280, 390)) {
                tab.size(width, width > 500 ? 800 : 844);
                for (var view : VIEWS.keySet()) {
                    show(tab, "#/" + view, condition(view));
                    save(tab, folder, view, scheme, width);
                }
                show(tab, pod, "document.querySelector('.matrix tbody tr')");
                save(tab, folder, "pod", scheme, width);
                show(
                        tab,
                        "#/map?pod=" + key.replace("/", "%2F"),
                        "document.querySelector('.legend .good')");
                save(tab, folder, "verdict", scheme, width);
            }
        }
    }

    static String condition(String view) {
        return Objects.requireNonNull(VIEWS.get(view));
    }

    private static void show(Tab tab, String hash, String condition) {
        tab.value("location.hash = '%s'".formatted(hash));
        tab.await(condition);
        // What is in the frame is drawn in the next but one.
        tab.value(
                "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(1))))");
    }

    private static void save(Tab tab, Path folder, String view, String scheme, int width)
            throws IOException {
        Files.write(folder.resolve("%s-%s-%d.png".formatted(view, scheme, width)), tab.picture());
    }
}
