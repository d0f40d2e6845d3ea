package io.berth.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StoreTest {
    private static final ResourceType MAPS =
            ResourceTable.find("", "v1", "configmaps").orElseThrow();
    private static final ResourceType PODS = ResourceTable.find("", "v1", "pods").orElseThrow();

    private final Store store = new Store(new HistoryLimits(4, 1 << 20));

    private static Draft draft(ResourceType type, String namespace, String name, String value) {
        ObjectNode object = Json.object();
        object.putObject("metadata")
                .put("name", name)
                .put("namespace", namespace)
                .put("uid", "u-" + name)
                .putObject("labels")
                .put("v", value);
        return Draft.of(type, object);
    }

    private StoredObject put(String namespace, String name) {
        return store.create(draft(MAPS, namespace, name, "1")).orElseThrow();
    }

    private List<String> paths(Page page) {
        return page.objects().stream().map(StoredObject::path).toList();
    }

    @Test
    void everyWriteIsOneRevision() {
        long start = store.revision();
        StoredObject a = put("n", "a");
        assertThat(a.revision()).isEqualTo(start + 1);
        StoredObject b = store.replace(a, draft(MAPS, "n", "a", "2")).orElseThrow();
        assertThat(b.revision()).isEqualTo(start + 2);
        assertThat(store.delete(b).orElseThrow().revision()).isEqualTo(start + 3);
        assertThat(store.revision()).isEqualTo(start + 3);
    }

    @Test
    void revisionIsInTheBytesAndTheTree() {
        StoredObject a = put("n", "a");
        assertThat(a.tree().at("/metadata/resourceVersion").asText())
                .isEqualTo(Long.toString(a.revision()));
        assertThat(new String(a.json(), java.nio.charset.StandardCharsets.UTF_8))
                .startsWith(
                        "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":"
                                + "{\"resourceVersion\":\"2\",\"name\":\"a\"");
        assertThat(
                        new String(
                                a.json(),
                                a.itemOffset(),
                                a.json().length - a.itemOffset(),
                                java.nio.charset.StandardCharsets.UTF_8))
                .startsWith("\"metadata\":{");
    }

    @Test
    void nobodyOverwritesAStateItHasNotSeen() {
        StoredObject first = put("n", "a");
        assertThat(store.create(draft(MAPS, "n", "a", "2"))).isEmpty();
        assertThat(store.replace(first, draft(MAPS, "n", "a", "2"))).isPresent();
        assertThat(store.replace(first, draft(MAPS, "n", "a", "3"))).isEmpty();
        assertThat(store.delete(first)).isEmpty();
    }

    @Test
    void listsAreOrderedAsPathsAndKeptToTheirNamespace() {
        put("a", "z");
        put("a-b", "y");
        put("a", "b");
        assertThat(paths(store.list(MAPS, ""))).containsExactly("a-b/y", "a/b", "a/z");
        assertThat(paths(store.list(MAPS, ObjectPath.prefix("a")))).containsExactly("a/b", "a/z");
        assertThat(paths(store.list(PODS, ""))).isEmpty();
    }

    @Test
    void thePastIsRebuiltFromHistory() {
        StoredObject a = put("n", "a");
        StoredObject b = put("n", "b");
        long then = store.revision();
        store.replace(a, draft(MAPS, "n", "a", "2"));
        store.delete(b);
        put("n", "c");
        Page past = store.listAt(MAPS, "", "", then).orElseThrow();
        assertThat(paths(past)).containsExactly("n/a", "n/b");
        assertThat(past.objects().getFirst()).isSameAs(a);
        assertThat(paths(store.listAt(MAPS, "", "n/a", then).orElseThrow())).containsExactly("n/b");
    }

    @Test
    void historyIsBoundedInCount() {
        long start = store.revision();
        for (int i = 0; i < 10; i++) {
            put("n", "m" + i);
        }
        ChangeLog log = store.log(MAPS);
        assertThat(log.after(start, 100)).isEmpty();
        assertThat(log.droppedRevision()).isEqualTo(start + 6);
        assertThat(log.after(start + 6, 100).orElseThrow()).hasSize(4);
        assertThat(store.listAt(MAPS, "", "", start + 5)).isEmpty();
    }

    @Test
    void historyIsBoundedInBytes() {
        var small = new Store(new HistoryLimits(1000, 500));
        for (int i = 0; i < 10; i++) {
            small.create(draft(MAPS, "n", "m" + i, "1"));
        }
        int kept =
                small.log(MAPS).after(small.log(MAPS).droppedRevision(), 100).orElseThrow().size();
        assertThat(kept).isBetween(1, 4);
    }

    @Test
    void busyTypeDoesNotEndTheHistoryOfAQuietOne() {
        put("n", "quiet");
        long seen = store.revision();
        for (int i = 0; i < 10; i++) {
            store.create(draft(PODS, "n", "p" + i, "1"));
        }
        // The one change of the quiet type is gone, but nothing after it is missing.
        assertThat(store.log(MAPS).after(seen, 10).orElseThrow()).isEmpty();
    }

    @Test
    void compactionForgetsEverything() {
        long start = store.revision();
        put("n", "a");
        store.compact();
        assertThat(store.log(MAPS).isLost(start)).isTrue();
        assertThat(store.log(MAPS).isLost(store.revision())).isFalse();
    }

    @Test
    void changesTellBeforeAndAfter() {
        StoredObject a = put("n", "a");
        StoredObject b = store.replace(a, draft(MAPS, "n", "a", "2")).orElseThrow();
        StoredObject last = store.delete(b).orElseThrow();
        List<Change> changes = store.log(MAPS).after(1, 10).orElseThrow();
        assertThat(changes)
                .containsExactly(
                        new Change(Change.Kind.ADDED, a, null),
                        new Change(Change.Kind.MODIFIED, b, a),
                        new Change(Change.Kind.DELETED, last, b));
        assertThat(last.labels()).containsEntry("v", "2");
    }
}
