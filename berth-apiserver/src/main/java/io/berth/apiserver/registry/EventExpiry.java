package io.berth.apiserver.registry;

import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.store.Store;
import io.berth.apiserver.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/// Removes events an hour after their last change.
///
/// Owned by the housekeeping thread. Remembers when it first saw each revision, because an event's
/// own timestamps are written by clients and may say anything.
public final class EventExpiry {
    private static final ResourceType EVENTS = ResourceTable.find("", "v1", "events").orElseThrow();

    private final Store store;
    private final InstantSource clock;
    private final Duration timeToLive;

    /// When each revision of an event was first seen, by path.
    private Map<String, Sighting> sightings = new HashMap<>();

    private record Sighting(long revision, Instant since) {}

    public EventExpiry(Store store, InstantSource clock, Duration timeToLive) {
        this.store = store;
        this.clock = clock;
        this.timeToLive = timeToLive;
    }

    /// One round: removes what is too old.
    public void sweep() {
        Instant now = clock.instant();
        var kept = new HashMap<String, Sighting>();
        for (StoredObject event : store.list(EVENTS, "").objects()) {
            Sighting known = sightings.get(event.path());
            Sighting sighting =
                    known != null && known.revision() == event.revision()
                            ? known
                            : new Sighting(event.revision(), now);
            if (sighting.since().plus(timeToLive).isAfter(now)) {
                kept.put(event.path(), sighting);
            } else {
                // A change in this very moment wins: the event is young again.
                var _ = store.delete(event);
            }
        }
        sightings = kept;
    }
}
