package io.berth.kube.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Resource;
import io.kubernetes.client.proto.V1Storage;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes trees of maps and lists as protobuf, by the definitions that the API publishes: what a
/// server would send. Fields that the API does not have are left out.
public final class Protobuf {
    /// Messages whose fields JSON has in the outer object.
    private static final List<String> INLINED =
            List.of("volumeSource", "persistentVolumeSource", "deviceConfiguration");

    private Protobuf() {}

    /// An object without its envelope.
    public static byte[] object(String kind, Map<?, ?> tree) {
        return message(descriptor(kind), tree).toByteArray();
    }

    public static byte[] inEnvelope(String apiVersion, String kind, byte[] object) {
        byte[] unknown =
                Runtime.Unknown.newBuilder()
                        .setTypeMeta(
                                Runtime.TypeMeta.newBuilder()
                                        .setApiVersion(apiVersion)
                                        .setKind(kind))
                        .setRaw(ByteString.copyFrom(object))
                        .setContentEncoding("")
                        .setContentType("")
                        .build()
                        .toByteArray();
        return ByteBuffer.allocate(4 + unknown.length)
                .put(new byte[] {'k', '8', 's', 0})
                .put(unknown)
                .array();
    }

    /// A frame of a watch.
    ///
    /// @param object in its envelope
    public static byte[] event(String type, byte[] object) {
        byte[] event =
                Meta.WatchEvent.newBuilder()
                        .setType(type)
                        .setObject(
                                Runtime.RawExtension.newBuilder()
                                        .setRaw(ByteString.copyFrom(object)))
                        .build()
                        .toByteArray();
        return ByteBuffer.allocate(4 + event.length).putInt(event.length).put(event).array();
    }

    private static Descriptor descriptor(String kind) {
        return switch (kind) {
            case "Pod" -> V1.Pod.getDescriptor();
            case "PodList" -> V1.PodList.getDescriptor();
            case "Node" -> V1.Node.getDescriptor();
            case "NodeList" -> V1.NodeList.getDescriptor();
            case "Namespace" -> V1.Namespace.getDescriptor();
            case "Service" -> V1.Service.getDescriptor();
            case "ReplicationController" -> V1.ReplicationController.getDescriptor();
            case "ReplicaSet" -> V1Apps.ReplicaSet.getDescriptor();
            case "StatefulSet" -> V1Apps.StatefulSet.getDescriptor();
            case "PodDisruptionBudget" -> V1Policy.PodDisruptionBudget.getDescriptor();
            case "PersistentVolume" -> V1.PersistentVolume.getDescriptor();
            case "PersistentVolumeClaim" -> V1.PersistentVolumeClaim.getDescriptor();
            case "StorageClass" -> V1Storage.StorageClass.getDescriptor();
            case "CSINode" -> V1Storage.CSINode.getDescriptor();
            case "CSIDriver" -> V1Storage.CSIDriver.getDescriptor();
            case "CSIStorageCapacity" -> V1Storage.CSIStorageCapacity.getDescriptor();
            case "VolumeAttachment" -> V1Storage.VolumeAttachment.getDescriptor();
            case "ResourceClaim" -> V1Resource.ResourceClaim.getDescriptor();
            case "ResourceSlice" -> V1Resource.ResourceSlice.getDescriptor();
            case "DeviceClass" -> V1Resource.DeviceClass.getDescriptor();
            case "Status" -> Meta.Status.getDescriptor();
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static Message message(Descriptor type, Map<?, ?> tree) {
        var result = DynamicMessage.newBuilder(type);
        var rest = new LinkedHashMap<Object, @Nullable Object>(tree);
        for (var field : type.getFields()) {
            var value = rest.remove(field.getName());
            if (value != null) {
                set(result, field, value);
            }
        }
        var inline = inlined(type);
        if (inline != null) {
            result.setField(inline, message(inline.getMessageType(), rest));
        }
        return result.build();
    }

    /// The message whose fields JSON has in the outer object.
    private static @Nullable FieldDescriptor inlined(Descriptor type) {
        for (var name : INLINED) {
            var field = type.findFieldByName(name);
            if (field != null) {
                return field;
            }
        }
        return null;
    }

    private static void set(DynamicMessage.Builder into, FieldDescriptor field, Object value) {
        if (field.isMapField()) {
            var entry = field.getMessageType();
            ((Map<?, ?>) value)
                    .forEach((key, each) ->
                            into.addRepeatedField(
                                    field,
                                    DynamicMessage.newBuilder(entry)
                                            .setField(entry.findFieldByName("key"), key)
                                            .setField(
                                                    entry.findFieldByName("value"),
                                                    single(entry.findFieldByName("value"), each))
                                            .build()));
        } else if (field.isRepeated()) {
            for (var each : (List<?>) value) {
                into.addRepeatedField(field, single(field, each));
            }
        } else {
            into.setField(field, single(field, value));
        }
    }

    private static Object single(FieldDescriptor field, Object value) {
        return switch (field.getJavaType()) {
            case STRING -> value;
            case BOOLEAN -> value;
            case INT -> ((Number) value).intValue();
            case LONG -> ((Number) value).longValue();
            case MESSAGE -> nested(field.getMessageType(), value);
            default -> throw new IllegalArgumentException(field.getFullName());
        };
    }

    private static Message nested(Descriptor type, Object value) {
        return switch (type.getName()) {
            case "Quantity" -> message(type, Map.of("string", value.toString()));
            case "Time" -> {
                var time = Instant.parse((String) value);
                yield message(
                        type, Map.of("seconds", time.getEpochSecond(), "nanos", time.getNano()));
            }
            case "FieldsV1", "RawExtension" ->
                    DynamicMessage.newBuilder(type)
                            .setField(
                                    type.getFields().getFirst(),
                                    ByteString.copyFromUtf8(Json.text(value)))
                            .build();
            default -> message(type, (Map<?, ?>) value);
        };
    }

    /// The tree without what protobuf cannot tell from absence: nulls, and lists and maps without
    /// anything in them. An object without fields stays.
    public static Map<String, Object> withoutNothing(String kind, Map<?, ?> tree) {
        return withoutNothing(descriptor(kind), tree);
    }

    private static Map<String, Object> withoutNothing(Descriptor type, Map<?, ?> tree) {
        var result = new LinkedHashMap<String, Object>();
        tree.forEach((name, value) -> {
            var field = type.findFieldByName((String) name);
            var inline = inlined(type);
            if (field == null && inline != null) {
                field = inline.getMessageType().findFieldByName((String) name);
            }
            if (value == null || field == null) {
                return;
            }
            if (field.isMapField() || !isObject(field)) {
                boolean empty =
                        value instanceof Map<?, ?> map && map.isEmpty()
                                || value instanceof List<?> list && list.isEmpty();
                if (!empty) {
                    result.put((String) name, value);
                }
            } else if (value instanceof List<?> list) {
                var elements = new ArrayList<>();
                for (var each : list) {
                    elements.add(withoutNothing(field.getMessageType(), (Map<?, ?>) each));
                }
                if (!elements.isEmpty()) {
                    result.put((String) name, elements);
                }
            } else {
                result.put(
                        (String) name, withoutNothing(field.getMessageType(), (Map<?, ?>) value));
            }
        });
        return result;
    }

    private static boolean isObject(FieldDescriptor field) {
        return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                && !field.getMessageType().getName().equals("Quantity")
                && !field.getMessageType().getName().equals("Time");
    }
}
