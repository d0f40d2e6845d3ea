package io.berth.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What clients are told when they ask for the impossible.
public abstract class ErrorConformance extends ConformanceBase {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | unexpected end of JSON input (<empty>)",
                "{ | unexpected end of JSON input ({)",
                "hello | invalid character 'h' looking for beginning of value (68656c6c6f)",
                "{\"a\" 1} | invalid character '1' after object key ({\"a\" 1})",
                "{} x | invalid character 'x' after top-level value ({} x)",
            })
    void bodyThatIsNoJsonIsExplained(String body, String problem) {
        Answer answer =
                client.send("POST", pods(), body, Map.of("Content-Type", "application/json"));
        assertFailure(
                answer,
                400,
                "BadRequest",
                "the object provided is unrecognized (must be of type Pod): couldn't get"
                        + " version/kind; json parse error: "
                        + problem);
    }

    @Test
    void otherKindIsRefused() {
        assertFailure(
                client.post(pods(), "{\"kind\":\"Service\",\"apiVersion\":\"v1\"}"),
                400,
                "BadRequest",
                "Service in version \"v1\" cannot be handled as a Pod: converting (v1.Service) to"
                        + " (core.Pod): unknown conversion");
    }

    @Test
    void otherVersionIsRefused() {
        assertFailure(
                client.post(pods(), "{\"kind\":\"Pod\",\"apiVersion\":\"apps/v1\"}"),
                400,
                "BadRequest",
                "Pod in version \"v1\" cannot be handled as a Pod: no kind \"Pod\" is registered"
                        + " for version \"apps/v1\" in scheme \"pkg/runtime/scheme.go:111\"");
    }

    @Test
    void wrongTypeIsNamed() {
        assertFailure(
                client.post(pods(), "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"nodeName\":5}}"),
                400,
                "BadRequest",
                "Pod in version \"v1\" cannot be handled as a Pod: json: cannot unmarshal number"
                        + " into Go struct field PodSpec.spec.nodeName of type string");
    }

    @Test
    void bodyBeyondThreeMebibytesIsRefused() {
        String data = "x".repeat(3 * 1024 * 1024);
        Answer answer =
                client.post(
                        configMaps(),
                        "{\"metadata\":{\"name\":\"a\"},\"data\":{\"a\":\"" + data + "\"}}");
        assertFailure(
                answer, 413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728");
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /api/v1/pods",
        "POST, /api/v1/pods",
        "DELETE, /api/v1/pods",
        "PATCH, /api/v1/nodes",
        "POST, /api/v1/nodes/a",
        "GET, /api/v1/namespaces/default/pods/a/binding",
        "DELETE, /api/v1/namespaces/default/pods/a/status",
    })
    void methodThatThePathDoesNotHaveIsRefused(String method, String path) {
        assertFailure(
                client.send(method, path, "{}", Map.of("Content-Type", "application/json")),
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/foos",
        "/api/v1/namespaces/default/nodes",
        "/api/v1/namespaces/default/pods/a/nosuch",
        "/apis/apps/v1/foos",
    })
    void unknownResourceIsNotFound(String path) {
        assertFailure(
                client.get(path),
                404,
                "NotFound",
                "the server could not find the requested resource");
    }

    @ParameterizedTest
    @CsvSource({"/nope", "/apis/no.such.group", "/apis/no.such.group/v1/foos", "/api/v7/pods"})
    void unknownPathIsNotFound(String path) {
        assertThat(client.get(path).code()).isEqualTo(404);
    }

    @Test
    void unknownObjectIsNotFound() {
        Answer answer = client.get(pods() + "/nobody");
        assertFailure(answer, 404, "NotFound", "pods \"nobody\" not found");
        assertThat(answer.at("/details/name")).isEqualTo("nobody");
        assertFailure(
                client.get("/apis/coordination.k8s.io/v1/namespaces/default/leases/nobody"),
                404,
                "NotFound",
                "leases.coordination.k8s.io \"nobody\" not found");
    }

    @Test
    void strangeContentTypesAreRefused() {
        Answer answer = client.send("POST", pods(), "x", Map.of("Content-Type", "text/plain"));
        assertThat(answer.code()).isEqualTo(415);
        assertThat(answer.reason()).isEqualTo("UnsupportedMediaType");
        assertThat(answer.message())
                .startsWith(
                        "the body of the request was in an unknown format - accepted media types"
                                + " include: application/json, application/yaml");
        assertThat(client.get(pods(), "text/html").code()).isEqualTo(406);
    }

    @Test
    void protobufIsPassedOverForJson() {
        Answer answer =
                client.get(pods(), "application/x-unknown, application/json;q=0.5, text/html");
        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.at("/kind")).isEqualTo("PodList");
    }

    @Test
    void optionsAreChecked() {
        assertFailure(
                client.post(pods() + "?dryRun=Some", pod("a")),
                422,
                "Invalid",
                "CreateOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"Some\"]:"
                        + " supported values: \"All\"");
    }

    @Test
    void strangersAreTurnedAway() throws Exception {
        var request =
                java.net.http.HttpRequest.newBuilder(
                                java.net.URI.create(api().url() + "/api/v1/pods"))
                        .setHeader("Authorization", "Bearer nonsense")
                        .build();
        var response =
                client.http().send(request, java.net.http.HttpResponse.BodyHandlers.ofString());
        // A client certificate in the test's TLS context outranks a bad token.
        if (!api().token().isEmpty()) {
            assertThat(response.statusCode()).isEqualTo(401);
            assertThat(Client.json(response.body()).path("message").asText())
                    .isEqualTo("Unauthorized");
        }
    }
}
