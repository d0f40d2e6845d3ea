package io.berth.kube.codec;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.LabelSelector;
import io.berth.api.model.Labels;
import io.berth.api.model.Namespace;
import io.berth.api.model.Pod;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.api.model.Service;
import io.berth.api.model.Workload;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Reads objects of one kind. Fields may come in any order and unknown ones are passed over. An
/// object with a value of the wrong type, or one that no reader was prepared for, is logged and
/// comes out as its identity alone.
///
/// Holds what it has read of the present object, so it serves one stream and one thread.
final class ObjectReader {
    private static final Logger log = LoggerFactory.getLogger(ObjectReader.class);

    private final Kind kind;
    private final boolean keepsRaw;
    private final Metadata metadata = new Metadata();
    private final PodSpecReader podSpec = new PodSpecReader();
    private final PodStatusReader podStatus = new PodStatusReader();
    private final NodeReader node = new NodeReader();
    private final Set<String> disrupted = new HashSet<>();
    private @Nullable Labels serviceSelector;
    private LabelSelector selector = LabelSelector.NOTHING;
    private int disruptionsAllowed;

    ObjectReader(Kind kind, boolean keepsRaw) {
        this.kind = kind;
        this.keepsRaw = keepsRaw;
    }

    /// Reads the whole object.
    Decoded read(ObjectInput in) throws IOException {
        return keepsRaw && in instanceof JsonInput json ? readTwice(json) : readOnce(in);
    }

    /// Copies the object first and reads the copy: slower, but only asked for where somebody needs
    /// objects whole.
    private Decoded readTwice(JsonInput in) throws IOException {
        byte[] raw = RawCopy.of(in);
        try (var copy = new JsonInput(raw, in.shared())) {
            copy.nextValue();
            return readOnce(copy).withRaw(raw);
        }
    }

    private Decoded readOnce(ObjectInput in) throws IOException {
        clear();
        var extent = kind == Kind.NODE ? Metadata.Extent.ALL : Metadata.Extent.WITHOUT_ANNOTATIONS;
        int depth = in.depth();
        boolean entered = false;
        ClusterObject object = null;
        try {
            if (!in.beginObject()) {
                throw in.wrongType("an object");
            }
            entered = true;
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "metadata" -> metadata.read(in, extent);
                    case "spec" -> readSpec(in);
                    case "status" -> readStatus(in);
                    default -> in.skip();
                }
            }
            object = build();
        } catch (UnreadableException unreadable) {
            skipping(log.atWarn().addKeyValue("field", unreadable.getMessage()));
            passOver(in, entered, depth);
        } catch (RuntimeException mistake) {
            // A mistake of this code. It costs the one object; thrown on, it would have the whole
            // kind read anew for as long as the object exists.
            in.shared().mistaken();
            skipping(log.atError().setCause(mistake));
            passOver(in, entered, depth);
        }
        return identity(object);
    }

    private void skipping(LoggingEventBuilder line) {
        line.addKeyValue("kind", kind)
                .addKeyValue("namespace", metadata.namespace)
                .addKeyValue("name", metadata.name)
                .log("Skipping an object that cannot be read");
    }

    private static void passOver(ObjectInput in, boolean entered, int depth) throws IOException {
        if (entered) {
            in.leave(depth);
        } else {
            in.skip();
        }
    }

    /// Reads the identity and passes over the rest.
    Decoded readIdentity(ObjectInput in) throws IOException {
        readMetadata(in, Metadata.Extent.IDENTITY);
        return identity(null);
    }

    /// Reads a bookmark, which has little more than a version.
    WatchEvent.Bookmark readBookmark(ObjectInput in) throws IOException {
        readMetadata(in, Metadata.Extent.BOOKMARK);
        return new WatchEvent.Bookmark(metadata.resourceVersion, metadata.initialEventsEnd);
    }

    private void readMetadata(ObjectInput in, Metadata.Extent extent) throws IOException {
        clear();
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            if (field.equals("metadata")) {
                metadata.read(in, extent);
            } else {
                in.skip();
            }
        }
    }

    private Decoded identity(@Nullable ClusterObject object) {
        return new Decoded(
                metadata.namespace, metadata.name, metadata.uid, metadata.resourceVersion, object);
    }

    private void clear() {
        metadata.clear();
        podSpec.clear();
        podStatus.clear();
        node.clear();
        disrupted.clear();
        serviceSelector = null;
        selector = LabelSelector.NOTHING;
        disruptionsAllowed = 0;
    }

    private void readSpec(ObjectInput in) throws IOException {
        switch (kind) {
            case POD -> podSpec.read(in);
            case NODE -> node.readSpec(in);
            case NAMESPACE -> in.skip();
            case SERVICE,
                    REPLICATION_CONTROLLER,
                    REPLICA_SET,
                    STATEFUL_SET,
                    POD_DISRUPTION_BUDGET ->
                    readSelector(in);
        }
    }

    private void readSelector(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            if (!field.equals("selector")) {
                in.skip();
            } else if (kind == Kind.SERVICE) {
                serviceSelector = in.labels();
            } else if (kind == Kind.REPLICATION_CONTROLLER) {
                selector = Selectors.equalities(in);
            } else {
                selector = Selectors.labelSelector(in);
            }
        }
    }

    private void readStatus(ObjectInput in) throws IOException {
        switch (kind) {
            case POD -> podStatus.read(in);
            case NODE -> node.readStatus(in);
            case POD_DISRUPTION_BUDGET -> readBudget(in);
            case NAMESPACE, SERVICE, REPLICATION_CONTROLLER, REPLICA_SET, STATEFUL_SET -> in.skip();
        }
    }

    private void readBudget(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "disruptionsAllowed" -> disruptionsAllowed = in.integer();
                case "disruptedPods" -> {
                    if (in.beginObject()) {
                        for (String pod = in.nextField(); pod != null; pod = in.nextField()) {
                            disrupted.add(pod);
                            in.skip();
                        }
                    }
                }
                default -> in.skip();
            }
        }
    }

    private ClusterObject build() {
        return switch (kind) {
            case POD -> pod();
            case NODE -> node.build(metadata);
            case NAMESPACE -> new Namespace(metadata.name, metadata.labels);
            case SERVICE -> new Service(metadata.namespace, metadata.name, serviceSelector);
            case REPLICATION_CONTROLLER, REPLICA_SET, STATEFUL_SET ->
                    new Workload(kind, metadata.namespace, metadata.name, selector);
            case POD_DISRUPTION_BUDGET ->
                    new PodDisruptionBudget(
                            metadata.namespace,
                            metadata.name,
                            selector,
                            disruptionsAllowed,
                            disrupted);
        };
    }

    private Pod pod() {
        var spec = podSpec.spec();
        return new Pod(
                metadata.namespace,
                metadata.name,
                metadata.uid,
                metadata.resourceVersion,
                metadata.generation,
                metadata.labels,
                spec,
                metadata.controller,
                podSpec.nodeName(),
                podStatus.phase(),
                podStatus.nominatedNodeName(),
                podStatus.conditions(),
                metadata.createdAt,
                podStatus.startedAt(),
                metadata.deletedAt,
                podStatus.resize(spec),
                podStatus.generatedClaims());
    }
}
