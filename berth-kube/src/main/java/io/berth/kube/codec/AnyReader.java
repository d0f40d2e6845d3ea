package io.berth.kube.codec;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.kube.codec.kind.KindTable;
import io.berth.kube.codec.wire.JsonInput;
import io.berth.kube.codec.wire.ProtobufInput;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.codec.wire.UnreadableException;
import io.berth.kube.protobuf.Envelope;
import io.berth.kube.protobuf.Fields;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Reads objects of any kind, each from bytes of its own. Serves one thread.
public final class AnyReader {
    private final Shared shared;
    private final Map<Kind, ObjectReader> readers = new TreeMap<>();

    public AnyReader() {
        this(new Shared());
    }

    /// @param shared what its objects have in common with those of other readers
    public AnyReader(Shared shared) {
        this.shared = shared;
    }

    /// The name and group of a kind, as an object says it of itself.
    public record TypeMeta(String group, String kind) {
        /// The kind that the engine follows, if it is one of those.
        public Optional<Kind> known() {
            for (var known : Kind.values()) {
                if (known.group().equals(group) && known.plural().equals(plural())) {
                    return Optional.of(known);
                }
            }
            return Optional.empty();
        }

        /// As the API forms the names of resources.
        private String plural() {
            var singular = kind.toLowerCase(Locale.ROOT);
            if (singular.endsWith("s")) {
                return singular + "es";
            }
            return singular.endsWith("y")
                    ? singular.substring(0, singular.length() - 1) + "ies"
                    : singular + "s";
        }
    }

    /// What an object says it is; empty texts where it does not.
    public TypeMeta typeOf(byte[] json) throws IOException {
        String version = "";
        String kind = "";
        try (var in = new JsonInput(json, shared)) {
            if (in.nextValue() && in.beginObject()) {
                for (String field = in.nextField();
                        field != null && (version.isEmpty() || kind.isEmpty());
                        field = in.nextField()) {
                    switch (field) {
                        case "apiVersion" -> version = in.text();
                        case "kind" -> kind = in.text();
                        default -> in.skip();
                    }
                }
            }
        } catch (UnreadableException malformed) {
            throw new IOException(malformed.getMessage(), malformed);
        }
        int slash = version.indexOf('/');
        return new TypeMeta(slash < 0 ? "" : version.substring(0, slash), kind);
    }

    /// The object, in JSON or, in the API's envelope, protobuf; empty where it cannot be read,
    /// which is logged.
    public Optional<ClusterObject> read(byte[] object, Kind kind) throws IOException {
        return Envelope.isMagic(object, 0) ? readProtobuf(object, kind) : readJson(object, kind);
    }

    private Optional<ClusterObject> readJson(byte[] json, Kind kind) throws IOException {
        try (var in = new JsonInput(json, shared)) {
            in.nextValue();
            return Optional.ofNullable(reader(kind).read(in).object());
        }
    }

    private Optional<ClusterObject> readProtobuf(byte[] bytes, Kind kind) throws IOException {
        var fields = new Fields();
        Envelope.open(fields, bytes, 0, bytes.length);
        try (var in = new ProtobufInput(shared)) {
            in.reset(bytes, fields.place(), fields.end(), KindTable.of(kind).schema());
            return Optional.ofNullable(reader(kind).read(in).object());
        }
    }

    private ObjectReader reader(Kind kind) {
        return readers.computeIfAbsent(kind, k -> new ObjectReader(k, false));
    }
}
