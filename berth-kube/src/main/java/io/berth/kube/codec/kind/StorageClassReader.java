package io.berth.kube.codec.kind;

import io.berth.api.label.Requirement;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.spec.NodeSelector;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Reads classes of volumes.
final class StorageClassReader implements KindReader {
    static final Schema SCHEMA =
            Schemas.object()
                    .with(2, "provisioner")
                    .with(7, "volumeBindingMode")
                    .withList(
                            8,
                            "allowedTopologies",
                            new Schema()
                                    .withList(
                                            1,
                                            "matchLabelExpressions",
                                            new Schema().with(1, "key").withList(2, "values")));

    private final List<NodeSelector.Term> topologies = new ArrayList<>();
    private String provisioner = "";
    private BindingMode bindingMode = BindingMode.UNSET;

    @Override
    public void clear() {
        topologies.clear();
        provisioner = "";
        bindingMode = BindingMode.UNSET;
    }

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        switch (field) {
            case "provisioner" -> provisioner = in.sharedText();
            case "volumeBindingMode" -> bindingMode = bindingMode(in.sharedText());
            case "allowedTopologies" -> readTopologies(in);
            default -> in.skip();
        }
    }

    private static BindingMode bindingMode(String text) {
        return switch (text) {
            case "" -> BindingMode.UNSET;
            case "WaitForFirstConsumer" -> BindingMode.WAIT_FOR_FIRST_CONSUMER;
            default -> BindingMode.IMMEDIATE;
        };
    }

    private void readTopologies(ObjectInput in) throws IOException {
        if (!in.beginArray()) {
            return;
        }
        while (in.nextElement()) {
            var requirements = new ArrayList<Requirement>(2);
            in.only("matchLabelExpressions", () -> readRequirements(in, requirements));
            topologies.add(new NodeSelector.Term(requirements, List.of()));
        }
    }

    private static void readRequirements(ObjectInput in, List<Requirement> into)
            throws IOException {
        if (!in.beginArray()) {
            return;
        }
        while (in.nextElement()) {
            String key = "";
            var values = List.<String>of();
            if (!in.beginObject()) {
                continue;
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "key" -> key = in.sharedText();
                    case "values" -> values = in.texts();
                    default -> in.skip();
                }
            }
            into.add(new Requirement(key, Requirement.Operator.IN, values));
        }
    }

    @Override
    public StorageClass build(Metadata metadata) {
        return new StorageClass(
                metadata.name, provisioner, bindingMode, new NodeSelector(topologies));
    }
}
