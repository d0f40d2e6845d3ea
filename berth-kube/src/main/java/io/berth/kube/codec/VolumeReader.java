package io.berth.kube.codec;

import io.berth.api.model.Volume;
import java.io.IOException;
import java.util.List;

/// Reads a volume of a pod's spec.
///
/// The name is kept where placing the pod may need it: a claim made for the pod alone is named
/// after it. The others' is left out, since every pod has a volume for its service account's token
/// under a name of its own (`kube-api-access-x7k2p`), and with it no two pods would have one spec.
final class VolumeReader {
    private VolumeReader() {}

    static Volume read(ObjectInput in) throws IOException {
        String name = "";
        // As the API has it: a volume without a source is an empty directory.
        Volume.Source source = new Volume.Other("emptyDir");
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            if (field.equals("name")) {
                name = in.sharedText();
            } else if (in.isNull()) {
                in.skip();
            } else {
                source = source(in, field);
            }
        }
        boolean named = source instanceof Volume.Ephemeral || source instanceof Volume.Claim;
        return new Volume(named ? name : "", source);
    }

    private static Volume.Source source(ObjectInput in, String type) throws IOException {
        return switch (type) {
            case "persistentVolumeClaim" -> {
                var fields = Fields.read(in, "claimName", "");
                yield new Volume.Claim(fields.first, fields.readOnly);
            }
            case "gcePersistentDisk" -> {
                var fields = Fields.read(in, "pdName", "");
                yield new Volume.GcePersistentDisk(fields.first, fields.readOnly);
            }
            case "awsElasticBlockStore" -> {
                var fields = Fields.read(in, "volumeID", "");
                yield new Volume.AwsElasticBlockStore(fields.first, fields.readOnly);
            }
            case "iscsi" -> {
                var fields = Fields.read(in, "iqn", "");
                yield new Volume.Iscsi(fields.first, fields.readOnly);
            }
            case "rbd" -> {
                var fields = Fields.read(in, "pool", "image");
                yield new Volume.Rbd(fields.monitors, fields.first, fields.second, fields.readOnly);
            }
            case "image" -> new Volume.Image(Fields.read(in, "reference", "").first);
            case "ephemeral" -> {
                in.skip();
                yield new Volume.Ephemeral();
            }
            case "configMap" -> {
                in.skip();
                yield new Volume.ConfigMap();
            }
            case "secret" -> {
                in.skip();
                yield new Volume.Secret();
            }
            default -> {
                in.skip();
                yield new Volume.Other(type);
            }
        };
    }

    /// The fields of a source: up to two texts by name, and what several have in common.
    private record Fields(String first, String second, List<String> monitors, boolean readOnly) {
        static Fields read(ObjectInput in, String firstName, String secondName) throws IOException {
            String first = "";
            String second = "";
            var monitors = List.<String>of();
            boolean readOnly = false;
            in.beginObject();
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                if (field.equals(firstName)) {
                    first = in.sharedText();
                } else if (field.equals(secondName)) {
                    second = in.sharedText();
                } else if (field.equals("readOnly")) {
                    readOnly = in.flag();
                } else if (field.equals("monitors")) {
                    monitors = in.texts();
                } else {
                    in.skip();
                }
            }
            return new Fields(first, second, monitors, readOnly);
        }
    }
}
