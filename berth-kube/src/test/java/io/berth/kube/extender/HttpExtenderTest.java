package io.berth.kube.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.handle.Extender.ChosenVictims;
import io.berth.api.handle.Extender.HostScore;
import io.berth.api.handle.Extender.Victims;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.kube.connection.ConfigException;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.PemSource;
import io.berth.kube.testing.Certificates;
import io.berth.kube.testing.ScriptedServer;
import io.berth.testkit.HeldPort;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What goes over the wire to an extender, and what its answers mean.
@Tag("E-144")
@Tag("P-100")
final class HttpExtenderTest extends ExtenderFixture {
    @Nested
    @Tag("E-145")
    final class Requests {
        @Test
        void namesAreSentToAnExtenderThatKnowsTheNodes() throws Exception {
            talk(
                    "{\"NodeNames\":[\"b\"]}",
                    (extender, server) -> {
                        assertThat(extender.filter(P, nodes("a", "b")).nodes())
                                .containsExactly("b");
                        var request = server.requests().getFirst();
                        assertThat(request.verb()).isEqualTo("POST");
                        assertThat(request.path()).isEqualTo("/scheduler/filter");
                        assertThat(request.headers())
                                .containsEntry("content-type", "application/json");
                        assertThat(request.body())
                                .isEqualTo(
                                        "{\"Pod\":"
                                                + POD
                                                + ",\"Nodes\":null,\"NodeNames\":[\"a\",\"b\"]}");
                    });
        }

        @Test
        void wholeNodesAreSentToOthers() throws Exception {
            try (var server =
                            new ScriptedServer((request, way) ->
                                    way.send(
                                            200,
                                            "{\"Nodes\":{\"items\":[{\"metadata\":"
                                                    + "{\"name\":\"a\",\"labels\":{\"k\":\"v\"}}}]}}"));
                    var extenders =
                            new HttpExtenders(
                                    List.of(sendingNodes(settings(server.uri().toString()))))) {
                see(extenders, Kind.POD, POD);
                see(
                        extenders,
                        Kind.NODE,
                        "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\","
                                + "\"managedFields\":[{\"manager\":\"k\"}]},\"spec\":{}}");
                var extender = extenders.all().getFirst();
                assertThat(extender.filter(P, nodes("a")).nodes()).containsExactly("a");
                assertThat(server.requests().getFirst().body())
                        .isEqualTo(
                                "{\"Pod\":"
                                        + POD
                                        + ",\"Nodes\":{\"metadata\":{},\"items\":["
                                        + "{\"metadata\":{\"name\":\"a\"},\"spec\":{}}"
                                        + "]},\"NodeNames\":null}");
            }
        }

        @Test
        void bindingNamesPodAndNode() throws Exception {
            talk(
                    "{}",
                    (extender, server) -> {
                        extender.bind(P, "a");
                        var request = server.requests().getFirst();
                        assertThat(request.path()).isEqualTo("/scheduler/bind");
                        assertThat(request.body())
                                .isEqualTo(
                                        "{\"PodName\":\"p\",\"PodNamespace\":\"default\","
                                                + "\"PodUID\":\"u1\",\"Node\":\"a\"}");
                    });
        }

        @Test
        void victimsAreSentByUidOrWhole() throws Exception {
            var victim = Pod.builder("default", "v").uid("u2").nodeName("a").build();
            var candidates = Map.of("a", new Victims(List.of(victim), 1));
            talk(
                    "{}",
                    (extender, server) -> {
                        extender.preempt(P, candidates);
                        assertThat(server.requests().getFirst().body())
                                .isEqualTo(
                                        "{\"Pod\":"
                                                + POD
                                                + ",\"NodeNameToVictims\":null,"
                                                + "\"NodeNameToMetaVictims\":{\"a\":{\"Pods\":"
                                                + "[{\"UID\":\"u2\"}],\"NumPDBViolations\":1}}}");
                    });
            try (var server = new ScriptedServer((request, way) -> way.send(200, "{}"));
                    var extenders =
                            new HttpExtenders(
                                    List.of(sendingNodes(settings(server.uri().toString()))))) {
                see(extenders, Kind.POD, POD);
                // It is assumed on node a: the API server does not know that yet.
                see(
                        extenders,
                        Kind.POD,
                        "{\"metadata\":{\"name\":\"v\",\"uid\":\"u2\"},\"spec\":{\"x\":1}}");
                extenders.all().getFirst().preempt(P, candidates);
                assertThat(server.requests().getFirst().body())
                        .isEqualTo(
                                "{\"Pod\":"
                                        + POD
                                        + ",\"NodeNameToVictims\":{\"a\":{\"Pods\":[{\"metadata\":"
                                        + "{\"name\":\"v\",\"uid\":\"u2\"},\"spec\":{\"nodeName\":"
                                        + "\"a\",\"x\":1}}],\"NumPDBViolations\":1}},"
                                        + "\"NodeNameToMetaVictims\":null}");
            }
        }
    }

    @Nested
    @Tag("E-145")
    @Tag("E-146")
    final class Answers {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"nodenames\":[\"a\"],\"FAILEDNODES\":{\"B\":\"busy\"},\"more\":{\"x\":[1]}}",
                    "{\"NodeNames\":[\"a\"],\"FailedNodes\":{\"B\":\"busy\"},\"Error\":\"\","
                            + "\"Nodes\":null,\"FailedAndUnresolvableNodes\":null}"
                })
        void fieldNamesAreTakenInAnyCase(String answer) throws Exception {
            talk(
                    answer,
                    (extender, server) -> {
                        var filtered = extender.filter(P, nodes("a"));
                        assertThat(filtered.nodes()).containsExactly("a");
                        assertThat(filtered.failed()).isEqualTo(Map.of("B", "busy"));
                        assertThat(filtered.unresolvable()).isEmpty();
                    });
        }

        /// `null` and a missing list mean that no node is left, as upstream has it.
        @ParameterizedTest
        @ValueSource(strings = {"{}", "null", "{\"NodeNames\":null}", "{\"NodeNames\":[]}"})
        void withoutNodesNoneIsLeft(String answer) throws Exception {
            talk(
                    answer,
                    (extender, server) ->
                            assertThat(extender.filter(P, nodes("a")).nodes()).isEmpty());
        }

        @Test
        void namesFromAnExtenderThatIsSentWholeNodesDoNotCount() throws Exception {
            var answer = ExtenderAnswers.filtered(Json.bytes("{\"NodeNames\":[\"a\"]}"), false);
            assertThat(answer.nodes()).isEmpty();
        }

        @Test
        void scoresAreReadByHost() throws Exception {
            talk(
                    "[{\"Host\":\"a\",\"Score\":10},{\"host\":\"b\"}]",
                    (extender, server) -> {
                        assertThat(extender.prioritize(P, nodes("a", "b")))
                                .containsExactly(new HostScore("a", 10), new HostScore("b", 0));
                        assertThat(server.requests().getFirst().path())
                                .isEqualTo("/scheduler/prioritize");
                        assertThat(extender.weight()).isEqualTo(3);
                    });
        }

        @Test
        void victimsAreReadByUid() throws Exception {
            talk(
                    "{\"NodeNameToMetaVictims\":{\"a\":{\"Pods\":[{\"UID\":\"u2\"}],"
                            + "\"NumPDBViolations\":2},\"b\":null}}",
                    (extender, server) ->
                            assertThat(extender.preempt(P, Map.of()))
                                    .isEqualTo(
                                            Map.of(
                                                    "a",
                                                    new ChosenVictims(List.of("u2"), 2),
                                                    "b",
                                                    new ChosenVictims(List.of(), 0))));
        }
    }

    @Nested
    @Tag("E-148")
    final class Failures {
        @Test
        void errorInTheAnswerIsTheFailure() throws Exception {
            talk(
                    "{\"Error\":\"out of licences\"}",
                    (extender, server) -> {
                        assertThatThrownBy(() -> extender.filter(P, nodes("a")))
                                .hasMessage("out of licences");
                        assertThatThrownBy(() -> extender.bind(P, "a"))
                                .hasMessage("out of licences");
                    });
        }

        @ParameterizedTest
        @ValueSource(ints = {201, 302, 404, 500})
        void onlyStatus200IsASuccess(int code) throws Exception {
            talk(
                    settings -> settings,
                    code,
                    "{\"NodeNames\":[\"a\"]}",
                    (extender, server) ->
                            assertThatThrownBy(() -> extender.filter(P, nodes("a")))
                                    .hasMessage(
                                            "failed filter with extender at URL %s/scheduler/filter,"
                                                            .formatted(server.uri())
                                                    + " code "
                                                    + code));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "nonsense | Unrecognized token",
                    "[] | expected an object",
                    "'' | found nothing",
                    "{\"NodeNames\":\"a\"} | expected an array at /NodeNames, found VALUE_STRING",
                    "{\"NodeNames\":[1]} | expected a string",
                    "{\"NodeNames\":[ | end-of-input"
                })
        void answerThatCannotBeReadIsAFailure(String answer, String reason) throws Exception {
            talk(
                    answer,
                    (extender, server) ->
                            assertThatThrownBy(() -> extender.filter(P, nodes("a")))
                                    .isInstanceOf(ExtenderException.class)
                                    .hasMessageStartingWith("failed filter with extender at URL ")
                                    .hasMessageContaining(reason));
        }

        @Test
        void unreachableExtenderIsNamed() throws Exception {
            try (var nobody = new HeldPort();
                    var extenders = new HttpExtenders(List.of(settings(nobody.uri() + "")))) {
                see(extenders, Kind.POD, POD);
                assertThatThrownBy(() -> extenders.all().getFirst().filter(P, nodes("a")))
                        .hasMessage(
                                "Post \"http://127.0.0.1:%d/filter\": dial tcp 127.0.0.1:%d:"
                                                .formatted(nobody.number(), nobody.number())
                                        + " connect: connection refused");
            }
        }

        /// The limit covers the whole answer, not only its beginning.
        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        @Tag("E-174")
        @Tag("E-173")
        void slowExtenderIsGivenUpAndNotTriedAgain(boolean begins) throws Exception {
            try (var server =
                            new ScriptedServer((request, way) -> {
                                if (begins) {
                                    way.begin().piece("{\"NodeNames\":");
                                }
                                way.hang();
                            });
                    var extenders =
                            new HttpExtenders(List.of(hasty(settings(server.uri() + ""))))) {
                see(extenders, Kind.POD, POD);
                assertThatThrownBy(() -> extenders.all().getFirst().filter(P, nodes("a")))
                        .hasMessageEndingWith(
                                "/filter\": context deadline exceeded (Client.Timeout exceeded"
                                        + " while awaiting headers)");
                // None at all where it took longer than the limit to send it.
                assertThat(server.requests()).hasSizeLessThan(2);
            }
        }
    }

    @Nested
    @Tag("E-142")
    @Tag("P-99")
    final class Settings {
        @TempDir static Path directory;

        private ExtenderSettings https(String url, boolean enabled, Connection.Tls tls) {
            var s = settings(url);
            return new ExtenderSettings(
                    s.urlPrefix(),
                    s.filterVerb(),
                    "",
                    "",
                    "",
                    0,
                    enabled,
                    tls,
                    s.timeout(),
                    true,
                    Set.of(),
                    false);
        }

        @Test
        void timeLimitIsFiveSecondsWhereNoneIsSet() {
            assertThat(
                            new ExtenderSettings(
                                            "http://x",
                                            "",
                                            "",
                                            "",
                                            "",
                                            0,
                                            false,
                                            Connection.Tls.DEFAULT,
                                            Duration.ZERO,
                                            false,
                                            Set.of(),
                                            false)
                                    .timeout())
                    .isEqualTo(Duration.ofSeconds(5));
        }

        @Test
        void httpsWithoutAnAuthorityBelievesAnyServer() throws Exception {
            var certificates = Certificates.make(directory, "RSA", "DNS:elsewhere.example");
            try (var server =
                    new ScriptedServer(
                            certificates.listen(null),
                            (request, way) -> way.send(200, "{\"NodeNames\":[\"a\"]}"))) {
                assertThat(filter(https(server.uri() + "", true, Connection.Tls.DEFAULT)))
                        .containsExactly("a");
                assertThatThrownBy(() ->
                                filter(https(server.uri() + "", false, Connection.Tls.DEFAULT)))
                        .hasMessageContaining("tls: ");
                var authority =
                        new PemSource.Inline(
                                certificates.certificatePem().getBytes(StandardCharsets.UTF_8),
                                "caData");
                var named = new Connection.Tls(authority, false, "elsewhere.example", null);
                assertThat(filter(https(server.uri() + "", true, named))).containsExactly("a");
                var other = new Connection.Tls(authority, false, null, null);
                assertThatThrownBy(() -> filter(https(server.uri() + "", true, other)))
                        .hasMessageContaining("tls: ");
            }
        }

        private List<String> filter(ExtenderSettings settings) {
            try (var extenders = new HttpExtenders(List.of(settings))) {
                see(extenders, Kind.POD, POD);
                return extenders.all().getFirst().filter(P, nodes("a")).nodes();
            }
        }

        @Test
        void mistakesAreToldAtStart() {
            assertThatThrownBy(() -> new HttpExtenders(List.of(settings("localhost:80/x"))))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("couldn't build extenders: the urlPrefix");
            var missing =
                    new Connection.Tls(
                            new PemSource.InFile(Path.of("/nowhere/ca.crt"), "caFile"),
                            false,
                            null,
                            null);
            assertThatThrownBy(() ->
                            new HttpExtenders(List.of(https("https://127.0.0.1:1", true, missing))))
                    .hasMessageStartingWith("couldn't build extenders: ")
                    .hasMessageContaining("/nowhere/ca.crt");
        }
    }
}
