package io.berth.kube.codec.kind;

import io.berth.api.label.Labels;
import io.berth.api.model.Owner;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The `metadata` of the object being read. One instance is used again for each object of a stream.
/// Fields that scheduling does not read, `managedFields` above all, are passed over.
public final class Metadata {
    public static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

    String namespace = "";
    String name = "";
    String uid = "";
    String resourceVersion = "";
    long generation;
    Labels labels = Labels.EMPTY;
    Labels annotations = Labels.EMPTY;
    List<String> finalizers = List.of();
    @Nullable Owner controller;
    @Nullable Instant createdAt;
    @Nullable Instant deletedAt;
    boolean initialEventsEnd;

    public String namespace() {
        return namespace;
    }

    public String name() {
        return name;
    }

    public String uid() {
        return uid;
    }

    public String resourceVersion() {
        return resourceVersion;
    }

    /// Whether this is the bookmark after the objects that were there at the watch's begin.
    public boolean endsInitialEvents() {
        return initialEventsEnd;
    }

    public void clear() {
        namespace = "";
        name = "";
        uid = "";
        resourceVersion = "";
        generation = 0;
        labels = Labels.EMPTY;
        annotations = Labels.EMPTY;
        finalizers = List.of();
        controller = null;
        createdAt = null;
        deletedAt = null;
        initialEventsEnd = false;
    }

    /// Which parts beyond the identity to read.
    public enum Extent {
        /// Namespace, name, uid and version.
        IDENTITY,
        /// The identity, and whether a bookmark ends the initial events.
        BOOKMARK,
        WITHOUT_ANNOTATIONS,
        ALL
    }

    public void read(ObjectInput in, Extent extent) throws IOException {
        if (!in.beginObject()) {
            return;
        }
        boolean more = extent == Extent.ALL || extent == Extent.WITHOUT_ANNOTATIONS;
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "namespace" -> namespace = in.sharedText();
                case "name" -> name = in.text();
                case "uid" -> uid = in.text();
                case "resourceVersion" -> resourceVersion = in.text();
                case "annotations" -> readAnnotations(in, extent);
                default -> {
                    if (more) {
                        readMore(in, field);
                    } else {
                        in.skip();
                    }
                }
            }
        }
    }

    private void readMore(ObjectInput in, String field) throws IOException {
        switch (field) {
            case "generation" -> generation = in.number();
            case "labels" -> labels = in.labelsOrEmpty();
            case "ownerReferences" -> readOwners(in);
            case "creationTimestamp" -> createdAt = in.time();
            case "deletionTimestamp" -> deletedAt = in.time();
            case "finalizers" -> finalizers = in.texts();
            default -> in.skip();
        }
    }

    private void readAnnotations(ObjectInput in, Extent extent) throws IOException {
        switch (extent) {
            case ALL -> annotations = in.labelsOrEmpty();
            case BOOKMARK ->
                    initialEventsEnd = "true".equals(in.labelsOrEmpty().value(INITIAL_EVENTS_END));
            case IDENTITY, WITHOUT_ANNOTATIONS -> in.skip();
        }
    }

    private void readOwners(ObjectInput in) throws IOException {
        if (!in.beginArray()) {
            return;
        }
        while (in.nextElement()) {
            String apiVersion = "";
            String kind = "";
            String owner = "";
            String ownerUid = "";
            boolean controls = false;
            if (!in.beginObject()) {
                continue;
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "apiVersion" -> apiVersion = in.sharedText();
                    case "kind" -> kind = in.sharedText();
                    case "name" -> owner = in.sharedText();
                    case "uid" -> ownerUid = in.sharedText();
                    case "controller" -> controls = in.flag();
                    default -> in.skip();
                }
            }
            if (controls && controller == null) {
                controller = in.shared().owner(new Owner(apiVersion, kind, owner, ownerUid));
            }
        }
    }
}
