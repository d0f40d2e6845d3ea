package io.berth.kube.write;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// A core/v1 event with its count.
///
/// @param count how often it has happened
record LegacyEventBody(String name, LegacyEvent event, int count, Instant first, Instant last)
        implements EventWrite {

    static LegacyEventBody first(LegacyEvent event, Instant now) {
        return new LegacyEventBody(
                EventBody.nameFor(event.about().name(), now), event, 1, now, now);
    }

    LegacyEventBody again(LegacyEvent latest, Instant now) {
        return new LegacyEventBody(name, latest, count + 1, first, now);
    }

    @Override
    public String collection() {
        return "/api/v1/namespaces/" + namespace() + "/events";
    }

    private String namespace() {
        String namespace = event.about().namespace();
        return namespace.isEmpty() ? "default" : namespace;
    }

    @Override
    public byte[] create() {
        return HttpClusterWrites.json(out -> {
            out.writeStartObject();
            out.writeStringField("kind", "Event");
            out.writeStringField("apiVersion", "v1");
            out.writeObjectFieldStart("metadata");
            out.writeStringField("name", name);
            out.writeStringField("namespace", namespace());
            out.writeEndObject();
            var about = event.about();
            out.writeObjectFieldStart("involvedObject");
            out.writeStringField("kind", about.kind());
            out.writeStringField("apiVersion", about.apiVersion());
            if (!about.namespace().isEmpty()) {
                out.writeStringField("namespace", about.namespace());
            }
            out.writeStringField("name", about.name());
            out.writeStringField("uid", about.uid());
            out.writeStringField("resourceVersion", about.resourceVersion());
            out.writeEndObject();
            out.writeStringField("reason", event.reason());
            out.writeStringField("message", event.message());
            out.writeObjectFieldStart("source");
            out.writeStringField("component", event.component());
            out.writeEndObject();
            out.writeStringField("firstTimestamp", seconds(first));
            out.writeStringField("lastTimestamp", seconds(last));
            out.writeNumberField("count", count);
            out.writeStringField("type", event.type().text());
            out.writeStringField("reportingComponent", event.component());
            out.writeStringField("reportingInstance", "");
            out.writeEndObject();
        });
    }

    @Override
    public byte @Nullable [] patch() {
        if (count == 1) {
            return null;
        }
        return HttpClusterWrites.json(out -> {
            out.writeStartObject();
            out.writeNumberField("count", count);
            out.writeStringField("lastTimestamp", seconds(last));
            out.writeStringField("message", event.message());
            out.writeEndObject();
        });
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
