package io.berth.kube.codec.kind;

import io.berth.api.model.CsiNode;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Reads what drivers say about nodes.
final class CsiNodeReader implements KindReader {
    static final Schema SCHEMA =
            Schemas.object(
                    new Schema()
                            .withList(
                                    1,
                                    "drivers",
                                    new Schema()
                                            .with(1, "name")
                                            .with(4, "allocatable", new Schema().with(1, "count"))),
                    new Schema());

    private static final String MIGRATED = "storage.alpha.kubernetes.io/migrated-plugins";

    private final List<CsiNode.Driver> drivers = new ArrayList<>();

    @Override
    public Metadata.Extent metadata() {
        return Metadata.Extent.ALL;
    }

    @Override
    public void clear() {
        drivers.clear();
    }

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        if (field.equals("spec")) {
            in.only("drivers", () -> readDrivers(in));
        } else {
            in.skip();
        }
    }

    private void readDrivers(ObjectInput in) throws IOException {
        if (!in.beginArray()) {
            return;
        }
        while (in.nextElement()) {
            drivers.add(in.shared().part(driver(in)));
        }
    }

    private static CsiNode.Driver driver(ObjectInput in) throws IOException {
        String name = "";
        int count = CsiNode.UNLIMITED;
        if (in.beginObject()) {
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "name" -> name = in.sharedText();
                    case "allocatable" -> count = count(in);
                    default -> in.skip();
                }
            }
        }
        return new CsiNode.Driver(name, count);
    }

    private static int count(ObjectInput in) throws IOException {
        int count = CsiNode.UNLIMITED;
        if (in.beginObject()) {
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                if (field.equals("count") && !in.isNull()) {
                    count = in.integer();
                } else {
                    in.skip();
                }
            }
        }
        return count;
    }

    @Override
    public CsiNode build(Metadata metadata) {
        var text = metadata.annotations.value(MIGRATED);
        return new CsiNode(
                metadata.name,
                drivers,
                text == null ? Set.of() : new HashSet<>(List.of(text.split(",", -1))));
    }
}
