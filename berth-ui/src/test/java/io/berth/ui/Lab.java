package io.berth.ui;

import io.berth.api.model.ClusterObject;
import io.berth.api.spec.PodSpec;
import io.berth.engine.EngineSettings;
import io.berth.engine.SystemTime;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.ClusterImage;
import io.berth.lab.explain.ClusterStudy;
import io.berth.lab.explain.Source;
import io.berth.plugins.InTree;
import io.berth.serving.http.Call;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// A cluster that does not change by itself, and the page about it.
final class Lab implements Studies {
    volatile ClusterImage image;

    Lab(ClusterObject... objects) {
        image = ClusterImage.of(List.of(objects));
    }

    Sight sight() {
        return new Sight(() -> CompletableFuture.completedFuture(Sample.of(image)));
    }

    @Override
    public <T> T ask(Function<ClusterStudy, T> question) {
        var profile = ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults());
        try (var study =
                new ClusterStudy(
                        EngineSettings.of(List.of(profile)),
                        Registry.of(InTree.factories()),
                        new SystemTime(),
                        image,
                        ClusterStudy.Context.of(
                                new Source(Source.Kind.CLUSTER, "test", "", 0, "", "test")))) {
            return question.apply(study);
        }
    }

    static Call get(String path, Map<String, String> query) {
        return call("GET", path, query, Map.of(), "");
    }

    static Call call(
            String method,
            String path,
            Map<String, String> query,
            Map<String, String> headers,
            String body) {
        var parameters = new LinkedHashMap<String, List<String>>();
        query.forEach((name, value) -> parameters.put(name, List.of(value)));
        var all = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, value) -> all.put(name, List.of(value)));
        return new Call(
                method,
                path,
                path,
                parameters,
                all,
                new Call.Peer("127.0.0.1:1", List.of(), false),
                () -> body.getBytes(StandardCharsets.UTF_8),
                Optional.empty());
    }
}
