package io.berth.kube.watch;

import io.berth.api.model.Kind;
import io.berth.engine.port.ClusterFeed;
import io.berth.kube.codec.Decoded;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What has been told about the objects of a kind: which there are, by uid and version.
///
/// It tells the feed what is news, so that a second list after a gap delivers only what changed
/// meanwhile, and says which objects disappeared. What breaks while it is told counts as untold, so
/// that the next list tells it. Used by one thread.
final class Known {
    private record Version(String namespace, String name, String uid, String resourceVersion) {}

    private final Kind kind;
    private final ClusterFeed feed;
    private final RawKeeper raw;
    private final Map<String, Version> objects = new HashMap<>();
    private final Set<String> listed = new HashSet<>();
    private volatile int size;

    Known(Kind kind, ClusterFeed feed, RawKeeper raw) {
        this.kind = kind;
        this.feed = feed;
        this.raw = raw;
    }

    /// How many objects there are; any thread may ask.
    int size() {
        return size;
    }

    /// An object exists.
    void seen(Decoded object) {
        String key = object.key();
        var known = objects.get(key);
        if (object.object() == null) {
            // It could not be read. If we knew it before, the old form stays in use.
            return;
        }
        if (known != null && known.uid.equals(object.uid())) {
            if (known.resourceVersion.equals(object.resourceVersion())) {
                return;
            }
        } else if (known != null) {
            // Deleted and created anew while we did not look.
            raw.gone(kind, key, known.uid);
            feed.gone(kind, known.namespace, known.name);
        }
        raw.seen(kind, object);
        feed.seen(object.object());
        objects.put(
                key,
                new Version(
                        object.namespace(), object.name(), object.uid(), object.resourceVersion()));
        size = objects.size();
    }

    /// An object is gone.
    void gone(Decoded object) {
        tellGone(object.key());
    }

    private void tellGone(String key) {
        var known = objects.get(key);
        if (known != null) {
            raw.gone(kind, key, known.uid);
            feed.gone(kind, known.namespace, known.name);
            objects.remove(key);
            size = objects.size();
        }
    }

    /// A list begins, which will name all objects.
    void beginList() {
        listed.clear();
    }

    /// An object of the list.
    void listed(Decoded object) {
        listed.add(object.key());
        seen(object);
    }

    /// An object that the list named is gone before the list ended.
    void unlisted(Decoded object) {
        listed.remove(object.key());
        gone(object);
    }

    /// The list is complete: what it did not name is gone.
    void endList() {
        for (var key : List.copyOf(objects.keySet())) {
            if (!listed.contains(key)) {
                tellGone(key);
            }
        }
        listed.clear();
    }
}
