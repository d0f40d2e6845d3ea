package io.berth.kube.write;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.api.handle.Recorder;
import io.berth.api.model.Pod;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An event as the API knows it (events.k8s.io/v1), and the patch that counts its repetitions.
///
/// @param name of the event object itself
/// @param reportingInstance the process that speaks
record EventBody(
        String name,
        Recorder.Event event,
        @Nullable Pod related,
        String reportingInstance,
        Instant time) {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final int MAX_NAME = 253;

    /// How often an event happened.
    record Series(int count, Instant lastObserved) {}

    static EventBody of(Recorder.Event event, @Nullable Pod related, String host, Instant time) {
        return new EventBody(
                nameFor(event.about().name(), time),
                event,
                related,
                event.controller() + "-" + host,
                time);
    }

    /// Object and time, or anything else where that is no valid name.
    static String nameFor(String object, Instant time) {
        long nanos = time.getEpochSecond() * 1_000_000_000L + time.getNano();
        String name = object + "." + Long.toHexString(nanos);
        boolean valid = name.length() <= MAX_NAME && isSubdomain(name);
        return valid ? name : UUID.randomUUID().toString();
    }

    /// Letters and digits, with hyphens and dots between them; hyphens stand beside no dot.
    private static boolean isSubdomain(String name) {
        char before = '.';
        for (int i = 0; i < name.length(); i++) {
            char next = name.charAt(i);
            boolean ofWord = next >= 'a' && next <= 'z' || next >= '0' && next <= '9';
            boolean allowed =
                    ofWord
                            || next == '-' && before != '.'
                            || next == '.' && before != '.' && before != '-';
            if (!allowed) {
                return false;
            }
            before = next;
        }
        return before != '.' && before != '-';
    }

    /// Cluster-scoped objects have their events in `default`.
    String namespace() {
        String namespace = event.about().namespace();
        return namespace.isEmpty() ? "default" : namespace;
    }

    String collection() {
        return "/apis/events.k8s.io/v1/namespaces/" + namespace() + "/events";
    }

    byte[] create(@Nullable Series series) {
        return HttpClusterWrites.json(out -> {
            out.writeStartObject();
            out.writeStringField("kind", "Event");
            out.writeStringField("apiVersion", "events.k8s.io/v1");
            out.writeObjectFieldStart("metadata");
            out.writeStringField("name", name);
            out.writeStringField("namespace", namespace());
            out.writeEndObject();
            out.writeStringField("eventTime", MICROS.format(time));
            out.writeStringField("type", event.type().text());
            out.writeStringField("reason", event.reason());
            out.writeStringField("action", event.action());
            out.writeStringField("note", event.note());
            out.writeStringField("reportingController", event.controller());
            out.writeStringField("reportingInstance", reportingInstance);
            writeReference(out, "regarding", event.about());
            if (related != null) {
                writeReference(out, "related", related);
            }
            if (series != null) {
                writeSeries(out, series);
            }
            out.writeEndObject();
        });
    }

    byte[] patch(Series series) {
        return HttpClusterWrites.json(out -> {
            out.writeStartObject();
            writeSeries(out, series);
            out.writeEndObject();
        });
    }

    private static void writeSeries(JsonGenerator out, Series series) throws IOException {
        out.writeObjectFieldStart("series");
        out.writeNumberField("count", series.count);
        out.writeStringField("lastObservedTime", MICROS.format(series.lastObserved));
        out.writeEndObject();
    }

    private static void writeReference(JsonGenerator out, String field, Pod pod)
            throws IOException {
        out.writeObjectFieldStart(field);
        out.writeStringField("kind", "Pod");
        out.writeStringField("apiVersion", "v1");
        out.writeStringField("namespace", pod.namespace());
        out.writeStringField("name", pod.name());
        out.writeStringField("uid", pod.uid());
        out.writeStringField("resourceVersion", pod.resourceVersion());
        out.writeEndObject();
    }
}
