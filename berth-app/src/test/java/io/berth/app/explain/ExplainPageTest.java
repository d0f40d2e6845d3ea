package io.berth.app.explain;

import static io.berth.lab.explain.Question.USUAL;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.api.spec.PodSpec;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.query.Difference.Mark;
import io.berth.lab.explain.ExplainException;
import io.berth.plugins.InTree;
import io.berth.serving.auth.Authority;
import io.berth.serving.auth.ResourceRight;
import io.berth.serving.http.Call;
import io.berth.serving.http.Reply;
import io.berth.serving.http.User;
import io.berth.testkit.TestScheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ExplainPageTest {
    private static final ProfileSettings PROFILE =
            ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults());
    private static final String POD = "/berth/v1/namespaces/default/pods/p/explanation";

    private static final Duration PARKED = Duration.ofMinutes(5);

    private static final Authority EVERYTHING = new Rights(true, Set.of());

    /// What a caller may do, by hand.
    ///
    /// @param rights such as `list nodes` or `get pods/explanation shop`
    private record Rights(boolean path, Set<String> rights) implements Authority {
        @Override
        public boolean mayGet(User user, String wanted) {
            return path;
        }

        @Override
        public boolean may(User user, ResourceRight right) {
            var resource =
                    right.resource()
                            + (right.subresource().isEmpty() ? "" : "/" + right.subresource());
            return rights.contains(
                    (right.verb() + " " + resource + " " + right.namespace()).strip());
        }
    }

    private final AttemptHistory history =
            new AttemptHistory(1 << 20, PARKED, System::currentTimeMillis);
    private final TestScheduler scheduler =
            TestScheduler.with(
                    InTree.factories(),
                    settings -> settings,
                    ports -> ports.watchedBy(history),
                    PROFILE);

    private static LiveExplanations explanations(Supplier<CompletableFuture<LiveState>> engine) {
        return new LiveExplanations(
                EngineSettings.of(List.of(PROFILE)),
                Registry.of(InTree.factories()),
                "test",
                engine);
    }

    private LiveExplanations following() {
        return explanations((since, pod) -> CompletableFuture.completedFuture(look(since, pod)));
    }

    private static LiveExplanations explanations(LiveLook.Engine engine) {
        return new LiveExplanations(
                EngineSettings.of(List.of(PROFILE)),
                Registry.of(InTree.factories()),
                "test",
                engine);
    }

    private LiveLook look(@Nullable Mark since, String pod) {
        return LiveLook.of(scheduler.engine().queries(), history, PARKED, since, pod);
    }

    private LiveState state() {
        return LiveState.of(scheduler.engine().queries(), history, PARKED);
    }

    private Reply ask(String method, String path, Map<String, String> query) {
        try (var explanations = following()) {
            return new ExplainPage(explanations, EVERYTHING).answer(call(method, path, query));
        }
    }

    private String as(Authority caller, String path, Map<String, String> query) {
        try (var explanations = following()) {
            return new ExplainPage(explanations, caller).answer(call("GET", path, query)).text();
        }
    }

    private void fillShop() {
        scheduler.add(node("metal-7").cpu("4").build());
        scheduler.add(node("metal-8").cpu("4").taint("only", "db", "NoSchedule").build());
        scheduler.create(pod("secret", "hidden-job").uid("h").cpu("3").build());
        scheduler.create(pod("shop", "web").uid("w").cpu("1").build());
        scheduler.settle();
        scheduler.create(pod("shop", "p").uid("p").cpu("2").build());
        scheduler.settle();
    }

    private static final String SHOP = "/berth/v1/namespaces/shop/pods/p/explanation";

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

    /// An engine that does not answer yet keeps those waiting who came first, and nobody else.
    @Test
    void tooManyQuestionsAtOnceAreRefused() throws Exception {
        parkPod();
        var state = state();
        var engine = new CompletableFuture<LiveState>();
        try (var explanations = explanations(() -> engine)) {
            var page = new ExplainPage(explanations, EVERYTHING);
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

    /// Whoever leaves takes the question along.
    @Test
    void whatNobodyWaitsForIsNotWorkedOut() throws Exception {
        parkPod();
        var state = state();
        try (var explanations = explanations(() -> CompletableFuture.completedFuture(state))) {
            var isBusy = new CountDownLatch(1);
            var mayGoOn = new CountDownLatch(1);
            var first =
                    asking(
                            explanations,
                            () -> {
                                isBusy.countDown();
                                assertThat(mayGoOn.await(1, TimeUnit.MINUTES)).isTrue();
                                return "first";
                            });
            assertThat(isBusy.await(1, TimeUnit.MINUTES)).isTrue();
            var wasAsked = new AtomicInteger();
            var impatient = asking(explanations, () -> wasAsked.incrementAndGet());
            impatient.interrupt();
            assertThat(impatient.join(Duration.ofMinutes(1))).isTrue();
            mayGoOn.countDown();
            assertThat(first.join(Duration.ofMinutes(1))).isTrue();
            assertThat(explanations.<Object>ask(_ -> "next")).isEqualTo("next");
            assertThat(wasAsked).hasValue(0);
        }
    }

    private static Thread asking(LiveExplanations explanations, Callable<Object> answer) {
        return Thread.ofPlatform()
                .start(() -> {
                    try {
                        explanations.<Object>ask(_ -> {
                            try {
                                return answer.call();
                            } catch (Exception broken) {
                                throw new IllegalStateException(broken);
                            }
                        });
                    } catch (LiveExplanations.BusyException | ExplainException left) {
                        // Told to whoever asks.
                    }
                });
    }

    /// The engine lists what it knows in one step, and takes its next ones while the twin answers.
    @Test
    void questionTakesOneStepOfTheEngine() throws Exception {
        parkPod();
        var steps = new AtomicInteger();
        LiveLook.Engine engine =
                (since, pod) -> {
                    var answer =
                            scheduler
                                    .engine()
                                    .ask(queries ->
                                            LiveLook.of(queries, history, PARKED, since, pod));
                    while (!answer.isDone()) {
                        scheduler.engine().step();
                        steps.incrementAndGet();
                    }
                    return answer;
                };
        try (var explanations = explanations(engine)) {
            var node =
                    explanations.ask(study -> {
                        scheduler.create(pod("meanwhile").uid("m").cpu("1").build());
                        scheduler.settle();
                        var told = study.explain(study.pod("default/p").orElseThrow(), USUAL);
                        assertThat(told.fixes()).isNotEmpty();
                        return scheduler.nodeOf("default/meanwhile");
                    });
            assertThat(node).isEqualTo("n");
            assertThat(steps).hasValue(1);
        }
    }

    /// One twin answers one question after the other, each by what the engine knows when it is
    /// asked: a pod placed in thought, a node that comes, one that goes.
    @Test
    void newsBetweenQuestionsAreInTheNextAnswer() throws Exception {
        parkPod();
        var wholes = new AtomicInteger();
        LiveLook.Engine engine =
                (since, pod) -> {
                    wholes.addAndGet(since == null ? 1 : 0);
                    return CompletableFuture.completedFuture(look(since, pod));
                };
        try (var explanations = explanations(engine)) {
            var page = new ExplainPage(explanations, EVERYTHING);
            assertThat(told(page, POD).at("/counts/nodes").asInt()).isEqualTo(1);
            assertThat(told(page, POD).at("/nodes/0/refusals/0/lacks/0/available").asInt())
                    .isEqualTo(1000);
            scheduler.create(pod("small").uid("s").cpu("600m").build());
            scheduler.cluster().hold();
            scheduler.settle();
            assertThat(told(page, POD).at("/nodes/0/refusals/0/lacks/0/available").asInt())
                    .isEqualTo(400);
            scheduler.cluster().release();
            scheduler.add(node("m").cpu("1").build());
            scheduler.settle();
            assertThat(told(page, POD).at("/counts/nodes").asInt()).isEqualTo(2);
            scheduler.remove(node("m").build());
            scheduler.settle();
            assertThat(told(page, POD).at("/counts/nodes").asInt()).isEqualTo(1);
            scheduler.add(node("m").cpu("2").build());
            scheduler.settle();
            assertThat(told(page, POD).at("/phase/category").asText()).isEqualTo("Placed");
        }
        assertThat(wholes).hasValue(1);
    }

    /// What was tried may still be there, or be tried yet; after an error of a plugin all of it was
    /// taken back.
    @Test
    void twinThatMayNotBeAsItWasIsMadeAnew() throws Exception {
        parkPod();
        var marks = new ArrayList<Boolean>();
        LiveLook.Engine engine =
                (since, pod) -> {
                    marks.add(since != null);
                    return CompletableFuture.completedFuture(look(since, pod));
                };
        try (var explanations = explanations(engine)) {
            explanations.ask(_ -> "well");
            failing(explanations, new ExplainException("none of ours"));
            failing(
                    explanations,
                    new ExplainException("broken", new PluginFailure("p", "m", null)));
            failing(explanations, new ExplainException("slow", new TimeoutException()));
            explanations.ask(_ -> "anew");
            failing(explanations, new IllegalStateException("half told"));
            explanations.ask(_ -> "anew");
        }
        assertThat(marks).containsExactly(false, true, true, true, false, true, false);
    }

    private static void failing(LiveExplanations explanations, RuntimeException broken) {
        assertThatThrownBy(() ->
                        explanations.ask(_ -> {
                            throw broken;
                        }))
                .isInstanceOf(ExplainException.class);
    }

    /// Whoever sees not everything is answered from a list of a moment ago, but for the pod that
    /// they ask for.
    @Test
    void podThatIsYoungerThanTheListIsFound() {
        fillShop();
        var mine = new Rights(false, Set.of("get pods/explanation shop"));
        try (var explanations = following()) {
            var page = new ExplainPage(explanations, mine);
            var pending = call("GET", "/berth/v1/pending", Map.of("namespace", "shop"));
            assertThat(page.answer(pending).status()).isEqualTo(200);
            scheduler.create(pod("shop", "young").uid("y").cpu("3").build());
            scheduler.settle();
            var young = SHOP.replace("/p/", "/young/");
            var reply = page.answer(call("GET", young, Map.of()));
            assertThat(reply.status()).as(reply.text()).isEqualTo(200);
            assertThat(reply.text()).contains("\"queue\"").doesNotContain("hidden-job");
        }
    }

    /// Nobody who rests keeps an image of a cluster.
    @Test
    void imageGoesWhenNobodyAsksAnyMore() {
        parkPod();
        var images = new AtomicInteger();
        var looks =
                new ImageLooks(() -> {
                    images.incrementAndGet();
                    return CompletableFuture.completedFuture(state());
                });
        var mark = looks.look(null, "").join().difference().mark();
        assertThat(looks.look(mark, "").join().difference().isWhole()).isFalse();
        assertThat(images).hasValue(1);
        looks.rest();
        assertThat(looks.look(mark, "").join().difference().isWhole()).isTrue();
        assertThat(images).hasValue(2);
    }

    private static JsonNode told(ExplainPage page, String path) throws IOException {
        return json(page.answer(call("GET", path, Map.of())));
    }

    /// Whoever asks about one pod learns the same of its place in the queue as whoever asks about
    /// all of them.
    @Test
    void factsAboutOnePodAreThoseAmongAll() {
        scheduler.add(node("n").cpu("1").build());
        for (int i = 0; i < 3; i++) {
            scheduler.create(pod("parked-" + i).uid("p" + i).cpu("2").build());
        }
        scheduler.settle();
        scheduler.engine().pause(true);
        for (int i = 0; i < 40; i++) {
            scheduler.create(pod("active-" + i).uid("a" + i).priority(i * 7 % 5).build());
        }
        scheduler.settle();
        var all = look(null, "");
        assertThat(all.queue()).hasSize(43);
        all.pods()
                .forEach(pod -> {
                    var one = look(null, pod.key());
                    assertThat(one.queue())
                            .containsExactly(Map.entry(pod.key(), all.queue().get(pod.key())));
                    assertThat(one.pods()).containsExactly(pod);
                });
    }

    @Test
    void imageServesTheLongerTheMoreItCosts() {
        assertThat(ImageLooks.lifetime(Duration.ZERO)).isEqualTo(Duration.ofSeconds(1));
        assertThat(ImageLooks.lifetime(Duration.ofMillis(5))).isEqualTo(Duration.ofSeconds(1));
        assertThat(ImageLooks.lifetime(Duration.ofMillis(20))).isEqualTo(Duration.ofSeconds(3));
        assertThat(ImageLooks.lifetime(Duration.ofMinutes(1))).isEqualTo(Duration.ofSeconds(5));
    }
}
