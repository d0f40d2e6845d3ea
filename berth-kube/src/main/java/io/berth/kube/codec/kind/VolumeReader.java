package io.berth.kube.codec.kind;

import io.berth.api.spec.Volume;
import io.berth.kube.codec.wire.ObjectInput;
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
        return new Volume(isNameKept(source) ? name : "", source);
    }

    private static boolean isNameKept(Volume.Source source) {
        return switch (source) {
            case Volume.Ephemeral _, Volume.Claim _ -> true;
            // Their translation may fail, which is told with the volume's name.
            case Volume.AwsElasticBlockStore _, Volume.AzureDisk _ -> true;
            default -> false;
        };
    }

    /// Reads the value of a source's field, which is not null.
    static Volume.Source source(ObjectInput in, String type) throws IOException {
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
            case "azureDisk" -> azureDisk(in);
            case "azureFile" -> {
                in.skip();
                yield new Volume.AzureFile();
            }
            case "cinder" -> new Volume.Cinder(Fields.read(in, "volumeID", "").first);
            case "portworxVolume" -> new Volume.Portworx(Fields.read(in, "volumeID", "").first);
            case "vsphereVolume" -> new Volume.Vsphere(Fields.read(in, "volumePath", "").first);
            case "csi" -> {
                var fields = Fields.read(in, "driver", "volumeHandle");
                yield new Volume.Csi(fields.first, fields.second);
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

    private static Volume.AzureDisk azureDisk(ObjectInput in) throws IOException {
        String name = "";
        String uri = "";
        String kind = Volume.AzureDisk.MANAGED;
        in.beginObject();
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "diskName" -> name = in.sharedText();
                case "diskURI" -> uri = in.sharedText();
                case "kind" -> kind = in.isNull() ? kind : in.sharedText();
                default -> in.skip();
            }
        }
        return new Volume.AzureDisk(name, uri, kind);
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
