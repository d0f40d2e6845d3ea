package io.berth.kube.write;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps core/v1 events few: equal ones are counted, similar ones combined, and an object that
/// causes too many is silenced (P-166).
///
/// Used by one thread.
final class LegacyCorrelator {
    private static final int MAX_KEPT = 4096;
    private static final int SIMILAR = 10;
    private static final Duration SIMILAR_WITHIN = Duration.ofMinutes(10);
    private static final int BURST = 25;
    private static final double PER_SECOND = 1.0 / 300;

    /// The different messages of events that are otherwise alike.
    private static final class Similar {
        private final Set<String> messages = new HashSet<>();
        private Instant last = Instant.MIN;
    }

    private static final class Tokens {
        private double left = BURST;
        private @Nullable Instant countedAt;

        boolean take(Instant now) {
            if (countedAt != null) {
                double seconds = Duration.between(countedAt, now).toMillis() / 1000.0;
                left = Math.min(BURST, left + Math.max(0, seconds) * PER_SECOND);
            }
            countedAt = now;
            if (left < 1) {
                return false;
            }
            left--;
            return true;
        }
    }

    private final Map<String, Similar> similar = lru();
    private final Map<String, LegacyEventBody> known = lru();
    private final Map<String, Tokens> allowances = lru();

    private static <T> Map<String, T> lru() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
                return size() > MAX_KEPT;
            }
        };
    }

    /// What to write about an event; null where it is silenced.
    @Nullable LegacyEventBody add(LegacyEvent event, Instant now) {
        String source = event.component() + "\0" + event.about().identity();
        String group = source + "\0" + event.type() + "\0" + event.reason();
        boolean combined = isOneOfMany(group, event.message(), now);
        var told =
                combined
                        ? event.withMessage("(combined from similar events): " + event.message())
                        : event;
        String key = combined ? group : group + "\0" + event.message();
        var before = known.get(key);
        var body = before == null ? LegacyEventBody.first(told, now) : before.again(told, now);
        known.put(key, body);
        var allowance = allowances.computeIfAbsent(source + "\0" + event.type(), _ -> new Tokens());
        return allowance.take(now) ? body : null;
    }

    private boolean isOneOfMany(String group, String message, Instant now) {
        var alike = similar.computeIfAbsent(group, _ -> new Similar());
        if (alike.last.isBefore(now.minus(SIMILAR_WITHIN))) {
            alike.messages.clear();
        }
        alike.last = now;
        alike.messages.add(message);
        if (alike.messages.size() < SIMILAR) {
            return false;
        }
        alike.messages.remove(alike.messages.iterator().next());
        return true;
    }
}
