package io.berth.app.explain;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.api.spec.PodSpec;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.plugins.InTree;
import io.berth.serving.http.Call;
import io.berth.serving.http.Reply;
import io.berth.testkit.TestScheduler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class ExplainPageTest {
    private static final ProfileSettings PROFILE =
            ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults());
    private static final String POD = "/berth/v1/namespaces/default/pods/p/explanation";

    private final TestScheduler scheduler = TestScheduler.with(InTree.factories(), PROFILE);

    private static LiveExplanations explanations(Supplier<CompletableFuture<LiveState>> engine) {
        return new LiveExplanations(
                EngineSettings.of(List.of(PROFILE)),
                Registry.of(InTree.factories()),
                "test",
                engine);
    }

    private LiveState state() {
        return LiveState.of(scheduler.engine().queries());
    }

    private Reply ask(String method, String path, Map<String, String> query) {
        try (var explanations = explanations(() -> CompletableFuture.completedFuture(state()))) {
            return new ExplainPage(explanations).answer(call(method, path, query));
        }
    }

    private Reply get(String path) {
        return ask("GET", path, Map.of());
    }

    private static Call call(String method, String path, Map<String, String> query) {
        var all = new LinkedHashMap<String, List<String>>();
        query.forEach((name, value) -> all.put(name, List.of(value)));
        return new Call(
                method,
                path,
                path,
                all,
                new TreeMap<>(String.CASE_INSENSITIVE_ORDER),
                new Call.Peer("127.0.0.1:1", List.of(), false),
                () -> new byte[0],
                Optional.empty());
    }

    private static JsonNode json(Reply reply) throws IOException {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return new ObjectMapper().readTree(reply.text());
    }

    private void parkPod() {
        scheduler.add(node("n").cpu("1").build());
        scheduler.create(pod("p").uid("p").cpu("2").build());
        scheduler.settle();
    }

    @Test
    void podIsExplainedWithItsPlaceInTheQueue() throws IOException {
        parkPod();
        var told = json(get(POD));
        assertThat(told.path("kind").asText()).isEqualTo("PodExplanation");
        assertThat(told.at("/source/kind").asText()).isEqualTo("scheduler");
        assertThat(told.at("/phase/category").asText()).isEqualTo("Impossible");
        assertThat(told.at("/phase/queue").asText()).isEqualTo("parked");
        assertThat(told.at("/phase/attempts").asInt()).isEqualTo(1);
        assertThat(told.at("/phase/refusedBy/0").asText()).isEqualTo("NodeResourcesFit");
        assertThat(told.at("/fixes/0/sentence").asText())
                .isEqualTo("request cpu 1 instead of 2 (-50 %)");
    }

    @Test
    void askingChangesNothingThatTheEngineDecides() {
        parkPod();
        long attempts = scheduler.engine().queries().attemptCount();
        get(POD);
        scheduler.settle();
        assertThat(scheduler.engine().queries().attemptCount()).isEqualTo(attempts);
        assertThat(scheduler.nodeOf("default/p")).isEmpty();
    }

    @Test
    void fixesAreLeftOutOnRequest() throws IOException {
        parkPod();
        assertThat(json(ask("GET", POD, Map.of("fixes", "false"))).path("fixes")).isEmpty();
    }

    @Test
    void queueAndNodesHavePages() throws IOException {
        parkPod();
        assertThat(json(get("/berth/v1/pending")).path("pods").asInt()).isEqualTo(1);
        assertThat(json(ask("GET", "/berth/v1/pending", Map.of("namespace", "x"))).path("pods"))
                .hasToString("0");
        assertThat(json(get("/berth/v1/nodes/n/explanation")).path("pending").asInt()).isEqualTo(1);
    }

    @Test
    void whatIsNotThereIsNotFound() {
        parkPod();
        assertThat(get("/berth/v1/namespaces/default/pods/q/explanation").status()).isEqualTo(404);
        assertThat(get("/berth/v1/nodes/m/explanation").status()).isEqualTo(404);
        assertThat(get("/berth/v1/else").status()).isEqualTo(404);
    }

    @Test
    void wrongCallsAreRefused() {
        assertThat(ask("POST", POD, Map.of()).status()).isEqualTo(405);
        assertThat(ask("GET", POD, Map.of("top", "many")).status()).isEqualTo(400);
        assertThat(ask("GET", POD, Map.of("top", "-1")).status()).isEqualTo(400);
        assertThat(ask("GET", "/berth/v1/pending", Map.of("by", "x")).status()).isEqualTo(400);
    }

    /// An engine that does not answer yet keeps those waiting who came first, and nobody else.
    @Test
    void tooManyQuestionsAtOnceAreRefused() throws Exception {
        parkPod();
        var state = state();
        var engine = new CompletableFuture<LiveState>();
        try (var explanations = explanations(() -> engine)) {
            var page = new ExplainPage(explanations);
            var replies = new ArrayList<CompletableFuture<Reply>>();
            for (int i = 0; i <= LiveExplanations.MOST_QUESTIONS; i++) {
                var reply = new CompletableFuture<Reply>();
                Thread.ofVirtual()
                        .start(() -> reply.complete(page.answer(call("GET", POD, Map.of()))));
                replies.add(reply);
            }
            var first =
                    CompletableFuture.anyOf(replies.toArray(CompletableFuture[]::new))
                            .get(1, TimeUnit.MINUTES);
            assertThat(((Reply) first).status()).isEqualTo(429);
            assertThat(((Reply) first).headers()).containsEntry("Retry-After", "1");
            engine.complete(state);
            int answered = 0;
            for (var reply : replies) {
                answered += reply.get(1, TimeUnit.MINUTES).status() == 200 ? 1 : 0;
            }
            assertThat(answered).isEqualTo(LiveExplanations.MOST_QUESTIONS);
        }
    }
}
