package io.berth.up.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.api.handle.Log;
import io.berth.up.PageOfCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/// The page of `berth up` in a real browser: every view with real data, clicks, keys, and a server
/// that goes away. Nothing may be written to the console, no policy be broken, and nobody be shut
/// out who uses no mouse or no eyes.
@EnabledIfEnvironmentVariable(
        named = "BERTH_REQUIRE_CONTROL_PLANE",
        matches = "true",
        disabledReason = "runs in .ci/run")
final class PageBrowserTest {
    private final Chromium browser = Chromium.startIfThere();
    private final Tab tab = browser.open();

    @AfterEach
    void end() {
        tab.close();
        browser.close();
    }

    @Test
    void everyViewTellsWhatHappensAndHearsClicksAndKeys() throws Exception {
        try (var cluster = PageOfCluster.start(60, 200, 0, Log.NONE)) {
            tab.size(1280, 800);
            tab.go(cluster.link());
            queueAndPod();
            map(cluster);
            decisions(cluster);
            playground();
            keys();
            assertThat(tab.complaints()).isEmpty();
        }
    }

    private void queueAndPod() throws IOException {
        tab.awaitText(".causes", "64 wanted");
        // All others have their place by then.
        tab.await("document.querySelectorAll('.causes .cause').length === 1");
        tab.awaitText(".facts", "60 nodes");
        // The key is not left where others may read it.
        assertThat(tab.value("location.href").asText()).doesNotContain("key=");
        accessible("queue");
        tab.click(".causes .cause a");
        tab.awaitText(".sentence", "None of 60 nodes");
        tab.awaitText(".groups", "NodeResourcesFit");
        tab.awaitText(".history", "no place");
        tab.await("document.querySelectorAll('.matrix tbody tr').length >= 5");
        tab.awaitText(".fixes", "request cpu");
        accessible("pod");
        tab.send(
                "Browser.grantPermissions",
                Map.of("permissions", List.of("clipboardReadWrite", "clipboardSanitizedWrite")));
        tab.click(".fixes button");
        tab.awaitText(".fixes button", "copied");
        assertThat(tab.value("navigator.clipboard.readText()").asText()).contains("\"op\"");
        tab.click(".inline a");
        tab.awaitText(".legend", "0 nodes can take demo/too-big");
    }

    private void map(PageOfCluster cluster) throws IOException {
        tab.value("location.hash = '#/map'");
        tab.await("document.querySelector('canvas')?.dataset.drawn === '60'");
        tab.awaitText(".legend", "% of cpu requested");
        accessible("map");
        tab.click("input[value=memory] + span");
        tab.awaitText(".legend", "of memory requested");
        tab.click("input[value=pool] + span");
        tab.value("document.querySelector('canvas').focus()");
        tab.key("ArrowRight");
        tab.awaitText(".card", "cpu");
        var first = tab.text(".card h2 span");
        tab.key("ArrowRight");
        tab.await("document.querySelector('.card h2 span')?.innerText !== '%s'".formatted(first));
        tab.key("Escape");
        tab.await("document.querySelector('.card.none')");
        card();
        // Words follow the picture, also where single nodes change.
        cluster.cordon("node-1");
        tab.awaitText(".legend", "1 cordoned");
    }

    /// What is said of a node is there while the mouse is over it, and stays after a click, so that
    /// one can go there.
    private void card() {
        var box =
                tab.value(
                        "(() => { const b = document.querySelector('canvas').getBoundingClientRect(); return [b.x, b.y]; })()");
        double x = box.get(0).asDouble() + 10;
        double y = box.get(1).asDouble() + 30;
        tab.move(x, y);
        tab.awaitText(".card h2", "node-");
        tab.move(x, y - 60);
        tab.await("document.querySelector('.card.none')");
        tab.click(x, y);
        tab.await("document.querySelector('.card h2 button')");
        tab.click(".card li a");
        tab.await("location.hash.startsWith('#/pod/')");
        tab.value("history.back()");
        tab.await("document.querySelector('canvas')?.dataset.drawn === '60'");
    }

    private void decisions(PageOfCluster cluster) throws IOException, InterruptedException {
        tab.value("location.hash = '#/log'");
        tab.awaitText(".log", "demo/too-big");
        accessible("decisions");
        cluster.createPod("newcomer");
        tab.awaitText(".log tbody tr:first-child", "newcomer");
        tab.click("#pause");
        tab.awaitText("#pause", "go on");
        cluster.createPod("unseen");
        tab.awaitText("#pause", "1 new");
        assertThat(tab.text(".log")).doesNotContain("unseen");
        tab.key("p");
        tab.awaitText(".log", "unseen");
        tab.click(".tools input[type=text]");
        tab.type("newcomer");
        tab.await("document.querySelectorAll('.log tbody tr').length === 1");
    }

    private void playground() throws IOException {
        tab.value("location.hash = '#/play'");
        tab.awaitText(".outcome", "6 pods placed");
        tab.awaitText(".refused", "default/picky");
        accessible("playground");
        shared();
        tab.click("#yaml");
        tab.value("document.querySelector('#yaml').setSelectionRange(0, 0)");
        tab.type("a: [\n");
        tab.await("document.querySelector('.halves .trouble')");
    }

    /// A link holds what was written, whatever it is.
    private void shared() {
        tab.click("#share");
        tab.awaitText("#share", "copied");
        var link = tab.value("navigator.clipboard.readText()").asText();
        assertThat(link).contains("#/play?y=").doesNotContain("key=");
        tab.value("location.hash = '#/pending'");
        tab.value("sessionStorage.removeItem('berth-play')");
        tab.value("location.hash = '%s'".formatted(link.substring(link.indexOf('#'))));
        tab.awaitText(".outcome", "6 pods placed");
        assertThat(tab.value("document.querySelector('#yaml').value").asText())
                .startsWith("# Pods in thought");
        tab.value("location.hash = '#/play?y=broken'");
        tab.awaitText(".halves .trouble", "The link is damaged");
        tab.value("location.hash = '#/pending'");
        tab.value("location.hash = '#/play'");
        tab.awaitText(".outcome", "6 pods placed");
    }

    private void keys() {
        tab.key("Escape");
        tab.key("?");
        tab.await("document.querySelector('dialog').open");
        tab.key("Escape");
        tab.await("!document.querySelector('dialog').open");
        tab.key("2");
        tab.await("location.hash === '#/map'");
        tab.key("/");
        tab.await("document.activeElement.id === 'search'");
        tab.type("too-big");
        tab.key("Enter");
        tab.await("location.hash === '#/pod/demo/too-big'");
        tab.awaitText(".sentence", "None of 60 nodes");
        tab.key("Escape");
        tab.await("location.hash === '#/pending'");
    }

    /// What axe finds serious or worse.
    private void accessible(String view) throws IOException {
        try (var in =
                Objects.requireNonNull(
                        PageBrowserTest.class.getResourceAsStream(
                                "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js"))) {
            tab.value(new String(in.readAllBytes(), StandardCharsets.UTF_8) + "; 1");
        }
        for (var scheme : List.of("dark", "light")) {
            tab.scheme(scheme);
            JsonNode found =
                    tab.value(
                            "axe.run().then(r => r.violations.filter(v => v.impact === 'serious' || v.impact === 'critical').map(v => v.id + ': ' + v.nodes.map(n => n.html).slice(0, 3).join(' | ')))");
            assertThat(found).as(view + ", " + scheme).isEmpty();
        }
    }

    @Test
    void thePageComesBackWithTheServer() throws Exception {
        String key;
        int port;
        try (var cluster = PageOfCluster.start(5, 5, 0, Log.NONE)) {
            port = cluster.port();
            key = cluster.key();
            tab.go(cluster.link());
            tab.awaitText(".facts", "5 nodes");
        }
        tab.awaitText(".facts", "connection lost");
        try (var cluster = PageOfCluster.again(7, 5, port, key, Log.NONE)) {
            tab.awaitText(".facts", "7 nodes");
            tab.awaitText(".facts", "live");
            assertThat(cluster.port()).isEqualTo(port);
        }
    }

    @Test
    void withoutItsKeyThePageSaysWhatIsMissing() throws Exception {
        try (var cluster = PageOfCluster.start(1, 0, 0, Log.NONE)) {
            tab.go(cluster.link().replaceAll("#.*", ""));
            tab.awaitText("berth-app", "needs the link that was printed");
        }
    }

    /// Pictures of every view, for whoever wants to look at them.
    @Test
    void everyViewFitsWideAndNarrowScreens() throws Exception {
        try (var cluster = PageOfCluster.start(90, 640, 0, Log.NONE)) {
            // One of the others is too large.
            int waiting = 1 + cluster.createTrouble();
            Pictures.take(tab, cluster.link(), waiting, Path.of("target", "pictures"));
            tab.size(390, 844);
            for (var view : Pictures.VIEWS.keySet()) {
                tab.value("location.hash = '#/%s'".formatted(view));
                tab.await(Pictures.condition(view));
                assertThat(tab.value("document.documentElement.scrollWidth").asInt())
                        .as(view)
                        .isLessThanOrEqualTo(390);
            }
            assertThat(tab.complaints()).isEmpty();
        }
    }
}
