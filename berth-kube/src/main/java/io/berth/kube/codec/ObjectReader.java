package io.berth.kube.codec;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.kube.codec.kind.KindReader;
import io.berth.kube.codec.kind.KindTable;
import io.berth.kube.codec.kind.Metadata;
import io.berth.kube.codec.wire.JsonInput;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.RawCopy;
import io.berth.kube.codec.wire.UnreadableException;
import java.io.IOException;
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
    private final KindReader particular;

    ObjectReader(Kind kind, boolean keepsRaw) {
        this.kind = kind;
        this.keepsRaw = keepsRaw;
        this.particular = KindTable.of(kind).reader().get();
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
        int depth = in.depth();
        boolean entered = false;
        ClusterObject object = null;
        try {
            if (!in.beginObject()) {
                throw in.wrongType("an object");
            }
            entered = true;
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                if (field.equals("metadata")) {
                    metadata.read(in, particular.metadata());
                } else {
                    particular.read(field, in);
                }
            }
            object = particular.build(metadata);
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
                .addKeyValue("namespace", metadata.namespace())
                .addKeyValue("name", metadata.name())
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
        return new WatchEvent.Bookmark(metadata.resourceVersion(), metadata.endsInitialEvents());
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
                metadata.namespace(),
                metadata.name(),
                metadata.uid(),
                metadata.resourceVersion(),
                object);
    }

    private void clear() {
        metadata.clear();
        particular.clear();
    }
}
