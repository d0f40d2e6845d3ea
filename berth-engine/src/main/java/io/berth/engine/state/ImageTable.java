package io.berth.engine.state;

import io.berth.api.column.NodeView.ImageState;
import io.berth.api.model.Node;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The images of all nodes by name: how large, and on how many nodes.
///
/// The size is the one told by the first node that had the image; an image leaves the table with
/// its last node (E-18). What a node shows of the counts is frozen in its [Held] until that node
/// changes, because upstream copies them at that time and scores by the copy.
final class ImageTable {
    private static final int FIRST_CAPACITY = 64;

    private final Map<String, Integer> ids = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private long[] sizes = new long[FIRST_CAPACITY];
    private int[] nodeCounts = new int[FIRST_CAPACITY];
    // Which call last touched an image, so that a name that a node lists twice counts once.
    private long[] stamps = new long[FIRST_CAPACITY];
    private int[] free = new int[FIRST_CAPACITY];
    private int freeCount;
    private long stamp;

    /// The images of one node: numbers in the table, and the node counts as last frozen.
    record Held(int[] ids, int[] nodeCounts) {
        static final Held NONE = new Held(new int[0], new int[0]);

        boolean isEmpty() {
            return ids.length == 0;
        }
    }

    /// What a node holds after its change from `before` to `after`. A node leaves the table and
    /// enters it anew, so that the only holder of an image may change its size.
    Held change(Held held, @Nullable Node before, @Nullable Node after) {
        if (before != null && after != null && before.images().equals(after.images())) {
            if (resizeOwn(held, after)) {
                freeze(held);
                return held;
            }
        }
        leave(held);
        return after == null || after.images().isEmpty() ? Held.NONE : enter(after);
    }

    /// Takes the present counts over. True where one differs from what was frozen.
    boolean freeze(Held held) {
        boolean changed = false;
        for (int i = 0; i < held.ids.length; i++) {
            int count = nodeCounts[held.ids[i]];
            changed |= held.nodeCounts[i] != count;
            held.nodeCounts[i] = count;
        }
        return changed;
    }

    /// The node's images as a map, by reference.
    Map<String, ImageState> statesOf(Held held) {
        return new States(held);
    }

    int size() {
        return ids.size();
    }

    int nodeCount(String name) {
        var id = ids.get(name);
        return id == null ? 0 : nodeCounts[id];
    }

    /// The same images as before: where no other node has one, its size is this node's. False where
    /// a name is listed twice, which takes the long way.
    private boolean resizeOwn(Held held, Node node) {
        int total = 0;
        for (var image : node.images()) {
            total += image.names().size();
        }
        if (total != held.ids.length) {
            return false;
        }
        int i = 0;
        for (var image : node.images()) {
            for (int k = image.names().size(); k > 0; k--, i++) {
                if (nodeCounts[held.ids[i]] == 1) {
                    sizes[held.ids[i]] = image.sizeBytes();
                }
            }
        }
        return true;
    }

    private Held enter(Node node) {
        stamp++;
        int[] result = new int[FIRST_CAPACITY];
        int count = 0;
        for (var image : node.images()) {
            for (var name : image.names()) {
                int id = idFor(name, image.sizeBytes());
                if (stamps[id] != stamp) {
                    stamps[id] = stamp;
                    nodeCounts[id]++;
                    if (count == result.length) {
                        result = Arrays.copyOf(result, 2 * count);
                    }
                    result[count++] = id;
                }
            }
        }
        var held = new Held(Arrays.copyOf(result, count), new int[count]);
        freeze(held);
        return held;
    }

    private void leave(Held held) {
        for (int id : held.ids) {
            if (--nodeCounts[id] == 0) {
                ids.remove(names.get(id));
                names.set(id, "");
                if (freeCount == free.length) {
                    free = Arrays.copyOf(free, 2 * freeCount);
                }
                free[freeCount++] = id;
            }
        }
    }

    private int idFor(String name, long sizeBytes) {
        var known = ids.get(name);
        if (known != null) {
            return known;
        }
        int id = freeCount > 0 ? free[--freeCount] : names.size();
        if (id == names.size()) {
            names.add(name);
            if (id == sizes.length) {
                sizes = Arrays.copyOf(sizes, 2 * id);
                nodeCounts = Arrays.copyOf(nodeCounts, 2 * id);
                stamps = Arrays.copyOf(stamps, 2 * id);
            }
        } else {
            names.set(id, name);
        }
        ids.put(name, id);
        sizes[id] = sizeBytes;
        stamps[id] = 0;
        return id;
    }

    /// A node's images; a look-up makes no copy of them.
    private final class States extends AbstractMap<String, ImageState> {
        private final Held held;

        States(Held held) {
            this.held = held;
        }

        @Override
        public @Nullable ImageState get(@Nullable Object name) {
            var id = ids.get(name);
            if (id != null) {
                for (int i = 0; i < held.ids.length; i++) {
                    if (held.ids[i] == id) {
                        return state(i);
                    }
                }
            }
            return null;
        }

        @Override
        public boolean containsKey(@Nullable Object name) {
            return get(name) != null;
        }

        private ImageState state(int i) {
            return new ImageState(sizes[held.ids[i]], held.nodeCounts[i]);
        }

        @Override
        public Set<Entry<String, ImageState>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public int size() {
                    return held.ids.length;
                }

                @Override
                public Iterator<Entry<String, ImageState>> iterator() {
                    return new Iterator<>() {
                        private int next;

                        @Override
                        public boolean hasNext() {
                            return next < held.ids.length;
                        }

                        @Override
                        public Entry<String, ImageState> next() {
                            int i = next++;
                            return Map.entry(names.get(held.ids[i]), state(i));
                        }
                    };
                }
            };
        }
    }
}
