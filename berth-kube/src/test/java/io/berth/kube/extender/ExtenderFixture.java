package io.berth.kube.extender;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Extender;
import io.berth.api.handle.Log;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.engine.state.ClusterState;
import io.berth.kube.codec.WatchEvent;
import io.berth.kube.codec.WatchReader;
import io.berth.kube.codec.wire.Encoding;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.connection.Connection;
import io.berth.kube.testing.ScriptedServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Settings of an extender, talks with one, and the objects they are about.
abstract class ExtenderFixture {
    static final String POD =
            "{\"metadata\":{\"namespace\":\"default\",\"name\":\"p\",\"uid\":\"u1\"},"
                    + "\"spec\":{\"containers\":[{\"name\":\"c\",\"unknownField\":1.50}]}}";
    static final Pod P = Pod.builder("default", "p").uid("u1").build();

    final ClusterState state = new ClusterState(Log.NONE);

    static ExtenderSettings settings(String url) {
        return new ExtenderSettings(
                url,
                "filter",
                "prioritize",
                "preempt",
                "bind",
                3,
                false,
                Connection.Tls.DEFAULT,
                Duration.ofSeconds(10),
                true,
                Set.of(),
                false);
    }

    static ExtenderSettings sendingNodes(ExtenderSettings s) {
        return changed(s, s.timeout(), false, s.managedResources());
    }

    static ExtenderSettings hasty(ExtenderSettings s) {
        return changed(s, Duration.ofMillis(500), s.nodeCacheCapable(), s.managedResources());
    }

    static ExtenderSettings managing(ExtenderSettings s, String... resources) {
        return changed(s, s.timeout(), s.nodeCacheCapable(), Set.of(resources));
    }

    private static ExtenderSettings changed(
            ExtenderSettings s,
            Duration timeout,
            boolean nodeCacheCapable,
            Set<String> managedResources) {
        return new ExtenderSettings(
                s.urlPrefix(),
                s.filterVerb(),
                s.prioritizeVerb(),
                s.preemptVerb(),
                s.bindVerb(),
                s.weight(),
                s.enableHttps(),
                s.tls(),
                timeout,
                nodeCacheCapable,
                managedResources,
                s.ignorable());
    }

    List<NodeView> nodes(String... names) {
        var views = new ArrayList<NodeView>();
        for (var name : names) {
            state.addNode(Node.builder(name).build());
            views.add(state.view(state.columns().slotOf(name)));
        }
        return views;
    }

    /// Shows an object to whoever keeps JSON, as a watch would.
    static void see(HttpExtenders extenders, Kind kind, String object) {
        var event = "{\"type\":\"ADDED\",\"object\":" + object + "}";
        var bytes = new ByteArrayInputStream(event.getBytes(StandardCharsets.UTF_8));
        try (var reader =
                WatchReader.of(
                        bytes, Encoding.JSON, kind, new Shared(), extenders.raw().wants(kind))) {
            if (reader.next() instanceof WatchEvent.Seen(var seen)) {
                extenders.raw().seen(kind, seen);
            }
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    @FunctionalInterface
    interface Talk {
        void with(Extender extender, ScriptedServer server) throws Exception;
    }

    /// Talks to an extender that always answers the same.
    static void talk(UnaryOperator<ExtenderSettings> change, int code, String answer, Talk talk)
            throws Exception {
        try (var server = new ScriptedServer((request, way) -> way.send(code, answer));
                var extenders =
                        new HttpExtenders(
                                List.of(change.apply(settings(server.uri() + "/scheduler//"))))) {
            see(extenders, Kind.POD, POD);
            talk.with(extenders.all().getFirst(), server);
        }
    }

    static void talk(String answer, Talk talk) throws Exception {
        talk(settings -> settings, 200, answer, talk);
    }
}
