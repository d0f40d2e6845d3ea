package io.berth.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Watching objects.
public abstract class WatchConformance extends ConformanceBase {
    @Test
    void changesArriveInOrder() {
        String start = client.get(configMaps()).version();
        try (WatchStream watch = client.watch(configMaps() + "?watch=1&resourceVersion=" + start)) {
            assertThat(watch.code()).isEqualTo(200);
            Answer made = created(configMaps(), configMap("a", "{}"));
            JsonNode added = watch.next();
            assertThat(added.path("type").asText()).isEqualTo("ADDED");
            assertThat(added.path("object")).isEqualTo(made.body());
            client.patch(configMaps() + "/a", Client.MERGE, "{\"data\":{\"k\":\"v\"}}");
            assertThat(watch.next().at("/object/data/k").asText()).isEqualTo("v");
            client.delete(configMaps() + "/a");
            JsonNode deleted = watch.next();
            assertThat(deleted.path("type").asText()).isEqualTo("DELETED");
            assertThat(deleted.at("/object/data/k").asText()).isEqualTo("v");
            assertThat(deleted.at("/object/metadata/resourceVersion").asLong())
                    .isGreaterThan(Long.parseLong(made.version()));
        }
    }

    @Test
    void watchWithoutVersionStartsWithWhatIsThere() {
        created(configMaps(), configMap("a", "{}"));
        created(configMaps(), configMap("b", "{}"));
        try (WatchStream watch = client.watch(configMaps() + "?watch=true")) {
            assertThat(List.of(watch.nextBrief(), watch.nextBrief()))
                    .containsExactlyInAnyOrder("ADDED a", "ADDED b");
            created(configMaps(), configMap("c", "{}"));
            assertThat(watch.nextBrief()).isEqualTo("ADDED c");
        }
    }

    @Test
    void watchFromAVersionTellsWhatHappenedSince() {
        Answer a = created(configMaps(), configMap("a", "{}"));
        created(configMaps(), configMap("b", "{}"));
        client.delete(configMaps() + "/a");
        try (WatchStream watch =
                client.watch(configMaps() + "?watch=1&resourceVersion=" + a.version())) {
            assertThat(watch.nextBrief()).isEqualTo("ADDED b");
            assertThat(watch.nextBrief()).isEqualTo("DELETED a");
        }
    }

    @Test
    void objectsComeAndGoWithTheirLabels() {
        String start = client.get(configMaps()).version();
        try (WatchStream watch =
                client.watch(
                        configMaps()
                                + "?watch=1&labelSelector=app%3Dweb&resourceVersion="
                                + start)) {
            created(configMaps(), configMap("a", "{}"));
            label("web");
            assertThat(watch.nextBrief()).isEqualTo("ADDED a");
            client.patch(configMaps() + "/a", Client.MERGE, "{\"data\":{\"k\":\"v\"}}");
            assertThat(watch.nextBrief()).isEqualTo("MODIFIED a");
            Answer moved = label("db");
            JsonNode gone = watch.next();
            assertThat(gone.path("type").asText()).isEqualTo("DELETED");
            // The last state that matched, at the version that took it away.
            assertThat(gone.at("/object/metadata/labels/app").asText()).isEqualTo("web");
            assertThat(gone.at("/object/metadata/resourceVersion").asText())
                    .isEqualTo(moved.version());
        }
    }

    private Answer label(String value) {
        return client.patch(
                configMaps() + "/a",
                Client.MERGE,
                "{\"metadata\":{\"labels\":{\"app\":\"" + value + "\"}}}");
    }

    @Test
    void unscheduledPodsLeaveTheWatchWhenBound() {
        created(pods(), pod("a"));
        String query = "?watch=1&fieldSelector=spec.nodeName%3D";
        try (WatchStream watch = client.watch(pods() + query)) {
            assertThat(watch.nextBrief()).isEqualTo("ADDED a");
            bound("a", "n1");
            assertThat(watch.nextBrief()).isEqualTo("DELETED a");
        }
    }

    @Test
    void oneObjectCanBeWatched() {
        String start = client.get(configMaps()).version();
        try (WatchStream watch =
                client.watch(
                        configMaps()
                                + "?watch=1&fieldSelector=metadata.name%3Db&resourceVersion="
                                + start)) {
            created(configMaps(), configMap("a", "{}"));
            created(configMaps(), configMap("b", "{}"));
            assertThat(watch.nextBrief()).isEqualTo("ADDED b");
        }
    }

    @Test
    void initialListEndsWithABookmark() {
        created(configMaps(), configMap("a", "{}"));
        created(configMaps(), configMap("b", "{}"));
        String query =
                "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                        + "&allowWatchBookmarks=true";
        try (WatchStream watch = client.watch(configMaps() + query)) {
            assertThat(List.of(watch.nextBrief(), watch.nextBrief()))
                    .containsExactlyInAnyOrder("ADDED a", "ADDED b");
            JsonNode bookmark = watch.next();
            assertThat(bookmark.path("type").asText()).isEqualTo("BOOKMARK");
            assertThat(bookmark.at("/object/kind").asText()).isEqualTo("ConfigMap");
            assertThat(
                            bookmark.path("object")
                                    .path("metadata")
                                    .path("annotations")
                                    .path("k8s.io/initial-events-end")
                                    .asText())
                    .isEqualTo("true");
            created(configMaps(), configMap("c", "{}"));
            assertThat(watch.nextBrief()).isEqualTo("ADDED c");
        }
    }

    @Test
    void watchEndsWhenItsTimeIsUp() {
        created(configMaps(), configMap("a", "{}"));
        try (WatchStream watch = client.watch(configMaps() + "?watch=1&timeoutSeconds=5")) {
            assertThat(watch.nextBrief()).isEqualTo("ADDED a");
            assertThat(watch.rest()).isEmpty();
        }
    }

    @Test
    void watchOptionsAreChecked() {
        assertFailure(
                client.get(configMaps() + "?watch=1&sendInitialEvents=true"),
                422,
                "Invalid",
                "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden:"
                        + " sendInitialEvents requires setting resourceVersionMatch to"
                        + " NotOlderThan");
    }

    @Test
    void deletedPodIsMarkedBeforeItGoes() {
        created(pods(), pod("a"));
        String start = client.get(pods()).version();
        client.delete(pods() + "/a");
        try (WatchStream watch = client.watch(pods() + "?watch=1&resourceVersion=" + start)) {
            JsonNode marked = watch.next();
            assertThat(marked.path("type").asText()).isEqualTo("MODIFIED");
            assertThat(marked.at("/object/metadata").has("deletionTimestamp")).isTrue();
            assertThat(watch.nextBrief()).isEqualTo("DELETED a");
        }
    }

    @Test
    void tableWatchTellsItsColumnsOnce() throws Exception {
        created(configMaps(), configMap("a", "{}"));
        created(configMaps(), configMap("b", "{}"));
        var request =
                client.request(configMaps() + "?watch=1&timeoutSeconds=60")
                        .setHeader("Accept", "application/json;as=Table;g=meta.k8s.io;v=v1")
                        .build();
        try (WatchStream watch = WatchStream.open(client.http(), request)) {
            JsonNode first = watch.next().path("object");
            assertThat(first.path("kind").asText()).isEqualTo("Table");
            assertThat(first.path("columnDefinitions").isArray()).isTrue();
            assertThat(watch.next().path("object").path("columnDefinitions").isNull()).isTrue();
        }
    }
}
