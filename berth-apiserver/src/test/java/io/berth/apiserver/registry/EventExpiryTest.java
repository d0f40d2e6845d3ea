package io.berth.apiserver.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.store.Draft;
import io.berth.apiserver.store.HistoryLimits;
import io.berth.apiserver.store.Store;
import io.berth.apiserver.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class EventExpiryTest {
    private static final ResourceType EVENTS = ResourceTable.find("", "v1", "events").orElseThrow();

    private final Store store = new Store(HistoryLimits.DEFAULT);
    private Instant now = Instant.EPOCH;
    private final EventExpiry expiry = new EventExpiry(store, () -> now, Duration.ofHours(1));

    private static Draft event(String note) {
        ObjectNode event = Json.object().put("message", note);
        event.putObject("metadata").put("name", "e").put("namespace", "n");
        return Draft.of(EVENTS, event);
    }

    private void sweepAt(Duration time) {
        now = Instant.EPOCH.plus(time);
        expiry.sweep();
    }

    private boolean exists() {
        return store.get(EVENTS, "n/e").isPresent();
    }

    @Test
    void eventGoesAnHourAfterItsLastChange() {
        StoredObject first = store.create(event("1")).orElseThrow();
        sweepAt(Duration.ZERO);
        sweepAt(Duration.ofMinutes(59));
        assertThat(exists()).isTrue();
        store.replace(first, event("2"));
        sweepAt(Duration.ofHours(1));
        assertThat(exists()).isTrue();
        sweepAt(Duration.ofMinutes(119));
        assertThat(exists()).isTrue();
        sweepAt(Duration.ofHours(2));
        assertThat(exists()).isFalse();
    }
}
