package io.berth.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// What all suites share: a client, and a namespace for each test.
public abstract class ConformanceBase {
    protected final String namespace =
            "t" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36);

    /// Set before each test.
    @SuppressWarnings("NullAway.Init")
    protected Client client;

    /// The server; the same for all tests of a class.
    public abstract ApiUnderTest api();

    @BeforeEach
    void createNamespace() {
        client = new Client(api(), HttpClient.Version.HTTP_2);
        Answer created =
                client.post(
                        "/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
        assertThat(created.code()).as(created.text()).isEqualTo(201);
    }

    /// A pod that is left would be placed by whatever scheduler comes to this server next.
    @AfterEach
    void deletePods() {
        Answer deleted = client.delete(pods() + "?gracePeriodSeconds=0");
        assertThat(deleted.code()).as(deleted.text()).isIn(200, 404);
    }

    /// The path of pods in the test's namespace.
    protected String pods() {
        return "/api/v1/namespaces/" + namespace + "/pods";
    }

    protected String configMaps() {
        return "/api/v1/namespaces/" + namespace + "/configmaps";
    }

    protected static String pod(String name) {
        return pod(name, "");
    }

    /// A pod with more members of its spec, such as `"nodeName":"n",`.
    protected static String pod(String name, String moreSpec) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\""
                + name
                + "\",\"labels\":{\"app\":\"web\"}},\"spec\":{"
                + moreSpec
                + "\"containers\":[{\"name\":\"c\",\"image\":\"nginx\"}]}}";
    }

    protected static String configMap(String name, String labels) {
        return "{\"metadata\":{\"name\":\"" + name + "\",\"labels\":" + labels + "}}";
    }

    protected Answer created(String path, String body) {
        Answer answer = client.post(path, body);
        assertThat(answer.code()).as(answer.text()).isEqualTo(201);
        return answer;
    }

    /// Binds a pod and waits until the server's own cache has seen it: a real server that deletes
    /// the pod before that may take it for one that nobody runs, and remove it at once.
    protected Answer bound(String name, String node) {
        Answer answer =
                created(
                        pods() + "/" + name + "/binding",
                        "{\"metadata\":{\"name\":\""
                                + name
                                + "\"},\"target\":{\"kind\":\"Node\",\"name\":\""
                                + node
                                + "\"}}");
        String cached = pods() + "/" + name + "?resourceVersion=0";
        await().atMost(Duration.ofMinutes(1))
                .until(() -> client.get(cached).at("/spec/nodeName").equals(node));
        return answer;
    }

    protected static void assertFailure(Answer answer, int code, String reason, String message) {
        assertThat(answer.code()).as(answer.text()).isEqualTo(code);
        assertThat(answer.at("/kind")).isEqualTo("Status");
        assertThat(answer.at("/apiVersion")).isEqualTo("v1");
        assertThat(answer.at("/status")).isEqualTo("Failure");
        assertThat(answer.body().path("code").asInt()).isEqualTo(code);
        assertThat(answer.reason()).isEqualTo(reason);
        assertThat(answer.message()).isEqualTo(message);
    }
}
