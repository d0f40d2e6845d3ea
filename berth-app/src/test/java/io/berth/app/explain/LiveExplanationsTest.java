package io.berth.app.explain;

import static io.berth.lab.explain.Question.USUAL;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.engine.framework.PluginFailure;
import io.berth.lab.explain.ExplainException;
import io.berth.serving.http.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Questions to a scheduler at work: what they take of it, and how new the answers are.
final class LiveExplanationsTest extends ExplainPageCase {
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
