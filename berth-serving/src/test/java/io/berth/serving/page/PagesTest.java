package io.berth.serving.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.config.text.SmallFiles;
import io.berth.serving.http.Calls;
import io.berth.serving.http.Mux;
import io.berth.serving.http.NotedServerLog;
import io.berth.serving.http.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PagesTest {
    private static final String WARNING =
            "Warning: This endpoint is not meant to be machine parseable, has no formatting"
                    + " compatibility guarantees and is for debugging purposes only.\n";
    private static final String FLAGZ = "application/json;as=Flagz;v=v1beta1;g=config.k8s.io";
    private static final Instant STARTED = Instant.parse("2026-01-02T03:04:05.678Z");

    private final AtomicBoolean leading = new AtomicBoolean();
    private final AtomicInteger verbosity = new AtomicInteger(-1);
    private final Counted process = new Counted("process");
    private final Counted resources = new Counted("resources");
    private final Counted slis = new Counted("slis");
    private final Mux pages = pages(true);

    private void setVerbosity(String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException("no verbosity: " + text);
        }
        verbosity.set(Integer.parseInt(text));
    }

    private Mux pages(boolean profiling) {
        return SchedulerPages.secure(
                new SchedulerPages.Health(List.of(), List.of(), List.of(), HealthObserver.NONE),
                new SchedulerPages.Metrics(process, resources, slis, leading::get),
                new SchedulerPages.Debug(profiling, true, this::setVerbosity),
                new SchedulerPages.About(
                        () -> "{\"componentconfig\":{}}",
                        Optional.of(Map.of("v", "4", "bind-address", "0.0.0.0")),
                        Optional.of(new ProcessFacts(STARTED, "1.36.4", "1.36")),
                        false),
                new NotedServerLog(0));
    }

    private Reply get(String target, String... headers) {
        return pages.answer(Calls.get(target, headers));
    }

    private static String text(Path file) throws IOException {
        return new String(SmallFiles.read(file), StandardCharsets.UTF_8);
    }

    @Test
    void everyPageIsInTheDocument() throws IOException {
        String document = text(Path.of("..", "docs", "serving.md"));
        assertThat(pages.listedFolders())
                .contains("/healthz", "/metrics")
                .allSatisfy(page -> assertThat(document).contains("`" + page + "`"));
    }

    /// Looks into the source: a page that nobody shows would be there for nothing.
    @Test
    void everyPageIsShown() throws IOException {
        var folder = Path.of("src", "main", "java", "io", "berth", "serving", "page");
        var sources = new HashMap<String, String>();
        try (var files = Files.list(folder)) {
            for (var file : files.toList()) {
                sources.put(file.getFileName().toString().replace(".java", ""), text(file));
            }
        }
        assertThat(sources.keySet())
                .filteredOn(name -> name.endsWith("Page"))
                .hasSizeGreaterThan(3)
                .allMatch(page -> isNamedElsewhere(page, sources));
    }

    private static boolean isNamedElsewhere(String page, Map<String, String> sources) {
        var name = Pattern.compile("\\b" + page + "[(.]");
        return sources.entrySet().stream()
                .anyMatch(file ->
                        !file.getKey().equals(page) && name.matcher(file.getValue()).find());
    }

    @Nested
    final class MetricsPages {
        @Test
        @Tag("P-191")
        void metricsAreTextAndPerhapsZipped() throws IOException {
            Reply plain = get("/metrics", "Accept", "application/openmetrics-text");
            assertThat(plain.text()).isEqualTo("process 0\n");
            assertThat(plain.headers().get("Content-Type"))
                    .isEqualTo("text/plain; version=0.0.4; charset=utf-8; escaping=underscores");

            Reply zipped = get("/metrics", "Accept-Encoding", "deflate, gzip;q=0.5");
            assertThat(zipped.headers()).containsEntry("Content-Encoding", "gzip");
            try (var stream = new GZIPInputStream(new ByteArrayInputStream(zipped.body()))) {
                assertThat(new String(stream.readAllBytes(), StandardCharsets.UTF_8))
                        .isEqualTo("process 0\n");
            }
            assertThat(get("/metrics", "Accept-Encoding", "gzip;q=0").headers())
                    .doesNotContainKey("Content-Encoding");
        }

        @Test
        @Tag("P-191")
        @Tag("P-193")
        void deleteResetsAndOtherMethodsRead() {
            Reply reset = pages.answer(Calls.call("DELETE", "/metrics", ""));
            assertThat(reset.text()).isEqualTo("metrics reset\n");
            assertThat(pages.answer(Calls.call("POST", "/metrics", "")).text())
                    .isEqualTo("process 1\n");
            pages.answer(Calls.call("DELETE", "/metrics/slis", ""));
            assertThat(get("/metrics/slis").text()).isEqualTo("slis 1\n");
        }

        @Test
        @Tag("P-192")
        void resourcesAreShownByTheLeaderAlone() {
            Reply standby = get("/metrics/resources");
            assertThat(standby.status()).isEqualTo(200);
            assertThat(standby.body()).isEmpty();
            pages.answer(Calls.call("DELETE", "/metrics/resources", ""));
            leading.set(true);
            assertThat(get("/metrics/resources").text()).isEqualTo("resources 0\n");
            pages.answer(Calls.call("DELETE", "/metrics/resources", ""));
            assertThat(get("/metrics/resources").text()).isEqualTo("resources 1\n");
        }

        @Test
        @Tag("P-194")
        void configurationIsJson() {
            Reply reply = get("/configz");
            assertThat(reply.text()).isEqualTo("{\"componentconfig\":{}}");
            assertThat(reply.headers())
                    .containsEntry("Content-Type", "application/json")
                    .containsEntry("X-Content-Type-Options", "nosniff");
        }

        @Test
        @Tag("P-194")
        void configurationThatCannotBeWrittenIsAnError() {
            Mux broken =
                    SchedulerPages.insecureMetrics(
                            SchedulerPages.Metrics.NONE,
                            new SchedulerPages.Debug(false, false, _ -> {}),
                            new SchedulerPages.About(
                                    () -> {
                                        throw new IllegalStateException("no writer");
                                    },
                                    Optional.empty(),
                                    Optional.empty(),
                                    false));
            Reply reply = broken.answer(Calls.get("/configz"));
            assertThat(reply.status()).isEqualTo(500);
            assertThat(reply.text()).isEqualTo("error: no writer\n");
        }
    }

    @Nested
    final class DebugPages {
        @Test
        @Tag("P-200")
        void indexListsTheProfiles() {
            assertThat(get("/debug/pprof").status()).isEqualTo(302);
            assertThat(get("/debug/pprof").headers()).containsEntry("Location", "/debug/pprof/");
            assertThat(get("/debug/pprof/").text())
                    .contains("allocs", "block", "cmdline", "goroutine", "heap", "mutex", "profile")
                    .contains("symbol", "threadcreate", "trace");
            assertThat(get("/debug/pprof/nosuch").status()).isEqualTo(404);
            assertThat(get("/debug/pprof/nosuch").text()).isEqualTo("Unknown profile\n");
        }

        @Test
        @Tag("P-200")
        void profilesShowThisJvm() throws InterruptedException {
            var hold = new java.util.concurrent.CountDownLatch(1);
            Thread waiting =
                    Thread.ofVirtual()
                            .name("someone-waiting")
                            .start(() -> {
                                try {
                                    hold.await();
                                } catch (InterruptedException stop) {
                                    Thread.currentThread().interrupt();
                                }
                            });
            assertThat(get("/debug/pprof/goroutine?debug=2").text()).contains("someone-waiting");
            hold.countDown();
            waiting.join();
            assertThat(get("/debug/pprof/heap").text()).contains("java.lang.String");
            assertThat(get("/debug/pprof/allocs").text()).contains("java.lang.String");
            assertThat(get("/debug/pprof/threadcreate").text()).contains("Finalizer");
            assertThat(get("/debug/pprof/block").text()).contains("main");
            assertThat(get("/debug/pprof/mutex").text()).contains("main");
            assertThat(get("/debug/pprof/cmdline").text()).contains("java");
            assertThat(get("/debug/pprof/symbol").text()).isEqualTo("num_symbols: 0\n");
        }

        @ParameterizedTest
        @ValueSource(strings = {"profile", "trace"})
        @Tag("P-200")
        void recordingsAreFlightRecordings(String name) {
            Reply reply = get("/debug/pprof/" + name + "?seconds=0.1");
            assertThat(reply.headers())
                    .containsEntry("Content-Type", "application/octet-stream")
                    .containsEntry(
                            "Content-Disposition", "attachment; filename=\"" + name + ".jfr\"");
            assertThat(new String(reply.body(), 0, 3, StandardCharsets.US_ASCII)).isEqualTo("FLR");
            assertThat(get("/debug/pprof/" + name + "?seconds=4000").status()).isEqualTo(400);
        }

        @Test
        void profileThatFindsNoRoomSaysWhereItNeedsSome() {
            assertThatThrownBy(() -> JvmProfiles.requireRoom(Path.of("/nowhere")))
                    .hasMessage("this profile needs a writable folder: mount one at /nowhere");
        }

        @Test
        @Tag("P-201")
        void verbosityIsChangedByPut() {
            Reply changed = pages.answer(Calls.call("PUT", "/debug/flags/v", "7"));
            assertThat(changed.text()).isEqualTo("successfully set klog.logging.verbosity to 7\n");
            assertThat(changed.headers()).containsEntry("Content-Type", "text/plain");
            assertThat(verbosity).hasValue(7);

            Reply unreadable = pages.answer(Calls.call("PUT", "/debug/flags/v", "abc"));
            assertThat(unreadable.status()).isEqualTo(400);
            assertThat(unreadable.text()).isEqualTo("no verbosity: abc\n");
            assertThat(get("/debug/flags/v").status()).isEqualTo(406);
            assertThat(get("/debug/flags/v").text()).isEqualTo("unsupported http method\n");
            assertThat(verbosity).hasValue(7);
            assertThat(get("/debug/flags").text()).contains("<tr>v<br>");
            assertThat(get("/debug/flags/other").text()).contains("<tr>v<br>");
        }

        @Test
        @Tag("P-200")
        @Tag("P-201")
        void withoutProfilingThereAreNoDebugPages() {
            Mux quiet = pages(false);
            assertThat(quiet.answer(Calls.get("/debug/pprof/")).status()).isEqualTo(404);
            assertThat(quiet.answer(Calls.get("/debug/flags")).status()).isEqualTo(404);
        }
    }

    @Nested
    final class ZPages {
        /// A number of a million digits says no more than a short one, and costs no more.
        @Test
        @Tag("P-205")
        void numbersOfAnyLengthAreReadAtOnce() {
            String accept = "text/plain;q=0." + "9".repeat(1_000_000);
            assertThat(get("/flagz", "Accept", accept).status()).isEqualTo(200);
        }

        @Test
        @Tag("P-205")
        void flagzIsProseForPeople() {
            for (String accept : List.of("", "text/plain", "*/*", "text/html, text/plain;q=0.5")) {
                Reply reply = get("/flagz", "Accept", accept);
                assertThat(reply.headers())
                        .containsEntry("Content-Type", "text/plain; charset=utf-8");
                assertThat(reply.text())
                        .startsWith("\nkube-scheduler flagz\n" + WARNING + "bind-address")
                        .matches("(?s).*\nbind-address(:|: |=| )0.0.0.0\nv(:|: |=| )4\n");
            }
            assertThat(get("/flagz")).isEqualTo(get("/flagz"));
        }

        @Test
        @Tag("P-206")
        void flagzIsAnObjectForPrograms() {
            Reply reply = get("/flagz", "Accept", FLAGZ);
            assertThat(reply.headers())
                    .containsEntry(
                            "Content-Type", "application/json;g=config.k8s.io;v=v1beta1;as=Flagz");
            assertThat(reply.text())
                    .isEqualTo(
                            "{\"kind\":\"Flagz\",\"apiVersion\":\"config.k8s.io/v1beta1\","
                                    + "\"metadata\":{\"name\":\"kube-scheduler\"},\"flags\":"
                                    + "{\"bind-address\":\"0.0.0.0\",\"v\":\"4\"}}\n");
            assertThat(get("/flagz", "Accept", FLAGZ, "User-Agent", "curl/8").text())
                    .startsWith("{\n  \"kind\": \"Flagz\",\n");

            Reply old = get("/flagz", "Accept", FLAGZ.replace("v1beta1", "v1alpha1"));
            assertThat(old.text()).contains("config.k8s.io/v1alpha1");
            assertThat(old.headers())
                    .containsEntry(
                            "Warning",
                            "299 - \"This version of the flagz endpoint is deprecated. Please use"
                                    + " a newer version.\"");

            Reply yaml = get("/flagz", "Accept", FLAGZ.replace("json", "yaml"));
            assertThat(yaml.text())
                    .isEqualTo(
                            """
                            apiVersion: config.k8s.io/v1beta1
                            flags:
                              bind-address: 0.0.0.0
                              v: "4"
                            kind: Flagz
                            metadata:
                              name: kube-scheduler
                            """);
        }

        /// With the gate `CBORServingAndStorage`: the mark of the format, texts as strings of
        /// bytes, the shortest name first.
        @Test
        @Tag("P-206")
        void flagzIsCborWhereThatIsSwitchedOn() {
            String accept = FLAGZ.replace("json", "cbor");
            Reply reply =
                    FlagzPage.of(Map.of("v", "4", "bind-address", "0.0.0.0"), true)
                            .answer(Calls.get("/flagz", "Accept", accept));
            assertThat(reply.headers())
                    .containsEntry(
                            "Content-Type", "application/cbor;g=config.k8s.io;v=v1beta1;as=Flagz");
            assertThat(new String(reply.body(), StandardCharsets.ISO_8859_1))
                    .isEqualTo(
                            "\u00d9\u00d9\u00f7\u00a4"
                                    + "DkindEFlagz"
                                    + "Eflags\u00a2AvA4Lbind-addressG0.0.0.0"
                                    + "Hmetadata\u00a1DnameNkube-scheduler"
                                    + "JapiVersionUconfig.k8s.io/v1beta1");
            assertThat(get("/flagz", "Accept", accept).status()).isEqualTo(406);
        }

        @ParameterizedTest
        @Tag("P-206")
        @ValueSource(
                strings = {
                    "application/json",
                    "application/*",
                    "text/html",
                    "garbage",
                    "application/cbor",
                    "application/json;as=Flagz;v=v9;g=config.k8s.io",
                    "application/json;as=Statusz;v=v1beta1;g=config.k8s.io"
                })
        void flagzRefusesOtherForms(String accept) {
            Reply reply = get("/flagz", "Accept", accept);
            assertThat(reply.status()).isEqualTo(406);
            assertThat(reply.headers()).containsEntry("Content-Type", "application/json");
            assertThat(reply.text().replaceAll("\\s+", " "))
                    .contains(
                            "only the following media types are accepted: application/json,"
                                    + " application/yaml, text/plain")
                    .contains("NotAcceptable", "406");
        }

        @Test
        @Tag("P-207")
        @Tag("P-202")
        void statuszIsProseForPeople() {
            Reply reply = get("/statusz");
            assertThat(reply.text())
                    .startsWith("\nkube-scheduler statusz\n" + WARNING + "\nStarted")
                    .containsPattern("\nUp(:|: |=| ) \\d+ hr \\d\\d min \\d\\d sec\n")
                    .containsPattern("\nGo version(:|: |=| ) java\\S+\n")
                    .containsPattern("\nBinary version(:|: |=| ) 1.36.4\n")
                    .containsPattern("\nEmulation version(:|: |=| ) 1.36\n")
                    .containsPattern(
                            "\nPaths(:|: |=| ) /configz /flagz /healthz /livez /metrics"
                                    + " /readyz\n$");
        }

        @Test
        @Tag("P-208")
        void statuszIsAnObjectForPrograms() {
            var page =
                    StatuszPage.of(
                            new ProcessFacts(STARTED, "1.36.4", "1.35"),
                            List.of("/healthz"),
                            () -> STARTED.plus(Duration.ofSeconds(3661)),
                            false);
            Reply reply =
                    page.answer(
                            Calls.get(
                                    "/statusz",
                                    "Accept",
                                    "application/json;as=Statusz;v=v1beta1;g=config.k8s.io"));
            assertThat(reply.text())
                    .isEqualTo(
                            "{\"kind\":\"Statusz\",\"apiVersion\":\"config.k8s.io/v1beta1\","
                                    + "\"metadata\":{\"name\":\"kube-scheduler\"},"
                                    + "\"startTime\":\"2026-01-02T03:04:05Z\","
                                    + "\"uptimeSeconds\":3661,\"goVersion\":\"java"
                                    + Runtime.version()
                                    + "\",\"binaryVersion\":\"1.36.4\","
                                    + "\"emulationVersion\":\"1.35\",\"paths\":[\"/healthz\"]}\n");
            assertThat(page.answer(Calls.get("/statusz")).text())
                    .containsPattern("Up(:|: |=| ) 1 hr 01 min 01 sec");
        }
    }

    /// Counts how often it was reset.
    private static final class Counted implements Scrape {
        private final String name;
        private int resets;

        Counted(String name) {
            this.name = name;
        }

        @Override
        public byte[] text() {
            return (name + " " + resets + "\n").getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void reset() {
            resets++;
        }
    }
}
