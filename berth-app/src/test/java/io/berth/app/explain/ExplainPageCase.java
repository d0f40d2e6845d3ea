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
import io.berth.engine.query.Difference.Mark;
import io.berth.plugins.InTree;
import io.berth.serving.auth.Authority;
import io.berth.serving.auth.ResourceRight;
import io.berth.serving.http.Call;
import io.berth.serving.http.Reply;
import io.berth.serving.http.User;
import io.berth.testkit.TestScheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A scheduler whose pods are explained by the page, with callers of all sorts.
abstract class ExplainPageCase {
    static final ProfileSettings PROFILE =
            ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults());
    static final String POD = "/berth/v1/namespaces/default/pods/p/explanation";

    static final String SHOP = "/berth/v1/namespaces/shop/pods/p/explanation";

    static final Duration PARKED = Duration.ofMinutes(5);

    static final Authority EVERYTHING = new Rights(true, Set.of());

    /// What a caller may do, by hand.
    ///
    /// @param rights such as `list nodes` or `get pods/explanation shop`
    record Rights(boolean path, Set<String> rights) implements Authority {
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

    final AttemptHistory history = new AttemptHistory(1 << 20, PARKED, System::currentTimeMillis);
    final TestScheduler scheduler =
            TestScheduler.with(
                    InTree.factories(),
                    settings -> settings,
                    ports -> ports.watchedBy(history),
                    PROFILE);

    static LiveExplanations explanations(Supplier<CompletableFuture<LiveState>> engine) {
        return new LiveExplanations(
                EngineSettings.of(List.of(PROFILE)),
                Registry.of(InTree.factories()),
                "test",
                engine);
    }

    LiveExplanations following() {
        return explanations((since, pod) -> CompletableFuture.completedFuture(look(since, pod)));
    }

    static LiveExplanations explanations(LiveLook.Engine engine) {
        return new LiveExplanations(
                EngineSettings.of(List.of(PROFILE)),
                Registry.of(InTree.factories()),
                "test",
                engine);
    }

    LiveLook look(@Nullable Mark since, String pod) {
        return LiveLook.of(scheduler.engine().queries(), history, PARKED, since, pod);
    }

    LiveState state() {
        return LiveState.of(scheduler.engine().queries(), history, PARKED);
    }

    Reply ask(String method, String path, Map<String, String> query) {
        try (var explanations = following()) {
            return new ExplainPage(explanations, EVERYTHING).answer(call(method, path, query));
        }
    }

    String as(Authority caller, String path, Map<String, String> query) {
        try (var explanations = following()) {
            return new ExplainPage(explanations, caller).answer(call("GET", path, query)).text();
        }
    }

    Reply get(String path) {
        return ask("GET", path, Map.of());
    }

    static Call call(String method, String path, Map<String, String> query) {
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

    static JsonNode json(Reply reply) throws IOException {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return new ObjectMapper().readTree(reply.text());
    }

    void parkPod() {
        scheduler.add(node("n").cpu("1").build());
        scheduler.create(pod("p").uid("p").cpu("2").build());
        scheduler.settle();
    }

    void fillShop() {
        scheduler.add(node("metal-7").cpu("4").build());
        scheduler.add(node("metal-8").cpu("4").taint("only", "db", "NoSchedule").build());
        scheduler.create(pod("secret", "hidden-job").uid("h").cpu("3").build());
        scheduler.create(pod("shop", "web").uid("w").cpu("1").build());
        scheduler.settle();
        scheduler.create(pod("shop", "p").uid("p").cpu("2").build());
        scheduler.settle();
    }
}
