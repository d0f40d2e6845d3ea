package io.berth.app.explain;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.serving.auth.Authority;
import io.berth.serving.auth.ResourceRight;
import io.berth.serving.http.User;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;

/// What the page answers, and to whom.
final class ExplainPageTest extends ExplainPageCase {
    /// The reasons and what the owner can do are there, but no name of a node, and none of a pod
    /// elsewhere, whatever is asked for.
    @Test
    void callerOfOneNamespaceLearnsNoNames() throws IOException {
        fillShop();
        var mine = new Rights(false, Set.of("get pods/explanation shop"));
        for (var query : List.of(Map.<String, String>of(), Map.of("lines", "80"))) {
            var text = as(mine, SHOP, query);
            assertThat(text).doesNotContain("metal-", "hidden-job", "secret/");
            var told = new ObjectMapper().readTree(text);
            assertThat(told.at("/counts/nodes").asInt()).isEqualTo(2);
            assertThat(told.at("/groups")).isNotEmpty();
            assertThat(told.at("/fixes")).isNotEmpty();
            assertThat(told.at("/redacted").toString())
                    .contains("names of nodes: you may not list nodes")
                    .contains("1 pod of other namespaces");
        }
        assertThat(as(mine, SHOP, Map.of("nodes", "all"))).contains("you may not ask for nodes");
        assertThat(as(mine, "/berth/v1/pending", Map.of("namespace", "shop", "lines", "80")))
                .contains("shop/p")
                .doesNotContain("metal-", "hidden-job");
    }

    @Test
    void callerOfOneNamespaceSeesWhatTheyMayReadAnyway() {
        fillShop();
        var withNodes = new Rights(false, Set.of("get pods/explanation shop", "list nodes"));
        assertThat(as(withNodes, SHOP, Map.of("nodes", "all")))
                .contains("metal-7", "1 pod of other namespaces")
                .doesNotContain("hidden-job");
        var withPods =
                new Rights(false, Set.of("get pods/explanation shop", "list nodes", "list pods"));
        assertThat(as(withPods, SHOP, Map.of())).contains("metal-7").doesNotContain("redacted");
        assertThat(as(EVERYTHING, SHOP, Map.of())).contains("metal-7").doesNotContain("redacted");
    }

    /// Others wait for the one who knows the cluster, so nobody waits for the API server there; and
    /// it is asked about what the answer would name, not about each namespace.
    @Test
    void rightsAreAskedAfterBesideTheTwinAndOnlyForWhatIsNamed() {
        scheduler.add(node("n").cpu("100").build());
        scheduler.engine().pause(true);
        for (int i = 0; i < 200; i++) {
            scheduler.create(pod("team-" + i, "job").uid("t" + i).build());
        }
        scheduler.create(pod("secret", "hidden-job").uid("h").priority(10).build());
        scheduler.create(pod("open", "known-job").uid("k").priority(9).build());
        scheduler.create(pod("shop", "p").uid("p").priority(8).build());
        scheduler.settle();
        var asked = new ConcurrentSkipListSet<String>();
        var rights = new Rights(false, Set.of("list nodes", "list pods open"));
        var threads = new ConcurrentSkipListSet<String>();
        var caller =
                new Authority() {
                    @Override
                    public boolean mayGet(User user, String path) {
                        return rights.mayGet(user, path);
                    }

                    @Override
                    public boolean may(User user, ResourceRight right) {
                        asked.add(right.namespace());
                        threads.add(Thread.currentThread().getName());
                        return rights.may(user, right);
                    }
                };
        assertThat(as(caller, SHOP, Map.of("lines", "80")))
                .contains("open/known-job")
                .doesNotContain("hidden-job", "secret/")
                .contains("1 pod of other namespaces");
        assertThat(asked).containsExactly("", "open", "secret");
        assertThat(threads).noneMatch(name -> name.startsWith("explain"));
    }

    @Test
    void onlyPagesOfANamespaceAreOpenToARoleInIt() {
        var right = Optional.of(ResourceRight.core("get", "pods", "shop").of("explanation"));
        assertThat(ExplainPage.rightInstead(call("GET", SHOP, Map.of()))).isEqualTo(right);
        assertThat(
                        ExplainPage.rightInstead(
                                call("GET", "/berth/v1/pending", Map.of("namespace", "shop"))))
                .isEqualTo(right);
        assertThat(ExplainPage.rightInstead(call("GET", "/berth/v1/pending", Map.of()))).isEmpty();
        assertThat(ExplainPage.rightInstead(call("POST", SHOP, Map.of()))).isEmpty();
        assertThat(ExplainPage.rightInstead(call("GET", "/berth/v1/nodes/n/explanation", Map.of())))
                .isEmpty();
        assertThat(ExplainPage.rightInstead(call("GET", "/metrics", Map.of()))).isEmpty();
    }

    @Test
    void linesForPeopleComeOnRequest() throws IOException {
        parkPod();
        var told = json(ask("GET", POD, Map.of("lines", "80")));
        assertThat(told.at("/lines").toString()).contains("request cpu 1 instead of 2 (-50 %)");
        assertThat(json(get(POD)).has("lines")).isFalse();
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
    void earlierAttemptsAndWhatWakesThePodAreTold() throws IOException {
        parkPod();
        var told = json(get(POD));
        assertThat(told.at("/history")).hasSize(1);
        assertThat(told.at("/history/0/times").asInt()).isEqualTo(1);
        assertThat(told.at("/history/0/sentence").asText())
                .startsWith("0/1 nodes are available: 1 Insufficient cpu.");
        assertThat(told.at("/phase/nextTry/events").toString())
                .contains("a pod goes or asks for less", "a node comes or changes its size");
        assertThat(Instant.parse(told.at("/phase/nextTry/time").asText()))
                .isEqualTo(Instant.parse(told.at("/phase/since").asText()).plus(PARKED));
        assertThat(json(ask("GET", POD, Map.of("lines", "80"))).at("/lines").toString())
                .contains("next try: when a ", "earlier attempts:");
    }

    /// A paused engine tries nobody, so all of them wait for their turn.
    @Test
    void podsBeforeItAreTold() throws IOException {
        scheduler.add(node("n").cpu("100").build());
        scheduler.engine().pause(true);
        for (int i = 0; i < 5; i++) {
            scheduler.create(pod("before-" + i).uid("b" + i).priority(10).build());
        }
        scheduler.create(pod("p").uid("p").build());
        scheduler.settle();
        var told = json(get(POD));
        assertThat(told.at("/phase/category").asText()).isEqualTo("WaitingForTurn");
        assertThat(told.at("/phase/position").asInt()).isEqualTo(6);
        assertThat(told.at("/phase/ahead")).hasSize(3);
        assertThat(told.at("/phase/ahead/0").asText()).startsWith("default/before-");
        assertThat(json(ask("GET", POD, Map.of("lines", "160"))).at("/lines").toString())
                .contains("and 2 more");
    }

    @Test
    void podsBeforeItInOtherNamespacesAreNotNamed() {
        scheduler.add(node("n").cpu("100").build());
        scheduler.engine().pause(true);
        scheduler.create(pod("secret", "hidden-job").uid("h").priority(10).build());
        scheduler.create(pod("shop", "p").uid("p").build());
        scheduler.settle();
        var mine = new Rights(false, Set.of("get pods/explanation shop"));
        for (var query : List.of(Map.<String, String>of(), Map.of("lines", "80"))) {
            assertThat(as(mine, SHOP, query))
                    .contains("\"position\"")
                    .doesNotContain("hidden-job", "secret/");
        }
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
}
