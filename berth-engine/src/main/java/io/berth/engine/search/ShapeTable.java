package io.berth.engine.search;

import io.berth.api.spec.PodSpec;
import io.berth.engine.state.ClusterState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The kept results of the shapes in use, the least recently used dropped first.
///
/// The bound is on memory: about 36 bytes per node and shape, 256 MiB in all, but never fewer than
/// 16 shapes. Owned by the engine thread.
final class ShapeTable {
    private static final long MAX_BYTES = 256L << 20;
    private static final int BYTES_PER_SLOT = 36;
    private static final int MIN_SHAPES = 16;
    private static final int MOST_CHANGED = 4096;

    private final Map<PodSpec, ShapeResults> results = new LinkedHashMap<>(64, 0.75f, true);
    private final LocalPlugins plugins;
    private final int[] changed = new int[MOST_CHANGED];

    ShapeTable(LocalPlugins plugins) {
        this.plugins = plugins;
    }

    /// The results for a spec, brought up to date.
    ShapeResults of(PodSpec full, ClusterState state) {
        var spec = plugins.keptBy(full);
        var shape = results.get(spec);
        if (shape == null) {
            shape = make(spec, state.columns().limit());
        }
        shape.refresh(state, changed);
        return shape;
    }

    /// Forgets what is kept for a spec.
    void drop(PodSpec spec) {
        results.remove(plugins.keptBy(spec));
    }

    /// See [ShapeResults#recheck].
    List<String> recheck(ClusterState state) {
        return results.values().stream()
                .flatMap(shape -> shape.recheck(state, changed).stream())
                .toList();
    }

    private ShapeResults make(PodSpec spec, int slots) {
        long most = Math.max(MIN_SHAPES, MAX_BYTES / BYTES_PER_SLOT / Math.max(slots, 1));
        if (results.size() >= most) {
            var oldest = results.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        var made = new ShapeResults(spec, plugins);
        results.put(spec, made);
        return made;
    }
}
