package io.berth.kube.codec.kind;

import io.berth.api.amount.Resources;
import io.berth.api.model.Node;
import io.berth.api.model.NodeImage;
import io.berth.api.spec.Taint;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads nodes.
final class NodeReader implements KindReader {
    private final List<Taint> taints = new ArrayList<>();
    private final List<NodeImage> images = new ArrayList<>();
    private final Map<String, String> conditions = new HashMap<>();
    private final Set<String> features = new HashSet<>();
    private boolean unschedulable;
    private Resources allocatable = Resources.NONE;

    @Override
    public Metadata.Extent metadata() {
        return Metadata.Extent.ALL;
    }

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        switch (field) {
            case "spec" -> readSpec(in);
            case "status" -> readStatus(in);
            default -> in.skip();
        }
    }

    @Override
    public void clear() {
        taints.clear();
        images.clear();
        conditions.clear();
        features.clear();
        unschedulable = false;
        allocatable = Resources.NONE;
    }

    @Override
    public Node build(Metadata metadata) {
        return new Node(
                metadata.name,
                metadata.uid,
                metadata.resourceVersion,
                metadata.labels,
                metadata.annotations,
                taints,
                unschedulable,
                allocatable,
                images,
                conditions,
                features);
    }

    private void readSpec(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "unschedulable" -> unschedulable = in.flag();
                case "taints" -> readTaints(in);
                default -> in.skip();
            }
        }
    }

    private void readTaints(ObjectInput in) throws IOException {
        if (!in.beginArray()) {
            return;
        }
        while (in.nextElement()) {
            String key = "";
            String value = "";
            String effect = "";
            if (!in.beginObject()) {
                continue;
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "key" -> key = in.sharedText();
                    case "value" -> value = in.sharedText();
                    case "effect" -> effect = in.sharedText();
                    default -> in.skip();
                }
            }
            taints.add(new Taint(key, value, effect));
        }
    }

    private void readStatus(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "allocatable" -> allocatable = Resources.of(in.resources());
                case "conditions" -> readConditions(in);
                case "images" -> readImages(in);
                case "declaredFeatures" -> features.addAll(in.texts());
                default -> in.skip();
            }
        }
    }

    private void readConditions(ObjectInput in) throws IOException {
        if (!in.beginArray()) {
            return;
        }
        while (in.nextElement()) {
            String type = "";
            String status = "";
            if (!in.beginObject()) {
                continue;
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "type" -> type = in.sharedText();
                    case "status" -> status = in.sharedText();
                    default -> in.skip();
                }
            }
            conditions.put(type, status);
        }
    }

    private void readImages(ObjectInput in) throws IOException {
        if (!in.beginArray()) {
            return;
        }
        while (in.nextElement()) {
            var names = List.<String>of();
            long size = 0;
            if (!in.beginObject()) {
                continue;
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "names" -> names = in.texts();
                    case "sizeBytes" -> size = in.number();
                    default -> in.skip();
                }
            }
            images.add(in.shared().image(new NodeImage(names, size)));
        }
    }
}
