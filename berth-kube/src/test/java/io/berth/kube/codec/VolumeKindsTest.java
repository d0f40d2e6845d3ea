package io.berth.kube.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.model.AccessMode;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.CsiNode;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolume.ClaimReference;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.model.VolumeAttachment;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.Volume;
import io.berth.kube.codec.kind.KindTable;
import io.berth.kube.codec.wire.Encoding;
import io.berth.kube.codec.wire.JsonInput;
import io.berth.kube.codec.wire.ProtobufInput;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.testing.Protobuf;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What the readers make of volumes and all around them, in JSON and protobuf alike.
class VolumeKindsTest {
    private static final NodeSelector ZONE_A =
            new NodeSelector(
                    List.of(
                            new NodeSelector.Term(
                                    List.of(
                                            new Requirement(
                                                    "zone",
                                                    Requirement.Operator.IN,
                                                    List.of("a", "b"))),
                                    List.of())));

    private final Shared shared = new Shared();

    /// @param json as the API has it, with fields that nobody reads among those that count
    record Case(Kind kind, String name, String json, ClusterObject expected) {
        @Override
        public String toString() {
            return name + " " + expected.name();
        }
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case(
                        Kind.PERSISTENT_VOLUME,
                        "PersistentVolume",
                        """
                        {"metadata":{"name":"full","uid":"u1","resourceVersion":"5",
                          "labels":{"topology.kubernetes.io/zone":"a"},
                          "deletionTimestamp":"2026-01-02T03:04:05Z",
                          "annotations":{"volume.beta.kubernetes.io/storage-class":"old"}},
                         "spec":{"capacity":{"storage":"10Gi"},"accessModes":["ReadWriteOnce",
                           "ReadOnlyMany"],"persistentVolumeReclaimPolicy":"Delete",
                          "csi":{"driver":"d","volumeHandle":"h","fsType":"ext4"},
                          "claimRef":{"kind":"PersistentVolumeClaim","namespace":"ns","name":"c",
                           "uid":"u2"},"storageClassName":"new","volumeMode":"Block",
                          "volumeAttributesClassName":"gold",
                          "nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[
                           {"key":"zone","operator":"In","values":["a","b"]}]}]}}},
                         "status":{"phase":"Bound","message":"x"}}
                        """,
                        PersistentVolume.named("full")
                                .uid("u1")
                                .resourceVersion("5")
                                .labels(Labels.of("topology.kubernetes.io/zone", "a"))
                                .deleting(true)
                                .storageClass("old")
                                .capacity(Quantity.parse("10Gi"))
                                .accessModes(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY)
                                .source(new Volume.Csi("d", "h"))
                                .claim(new ClaimReference("ns", "c", "u2"))
                                .volumeMode("Block")
                                .attributesClass("gold")
                                .nodeAffinity(ZONE_A)
                                .phase("Bound")
                                .build()),
                new Case(
                        Kind.PERSISTENT_VOLUME,
                        "PersistentVolume",
                        "{\"metadata\":{\"name\":\"bare\"},\"spec\":{\"hostPath\":{\"path\":\"/\"}}}",
                        PersistentVolume.named("bare").build()),
                new Case(
                        Kind.PERSISTENT_VOLUME_CLAIM,
                        "PersistentVolumeClaim",
                        """
                        {"metadata":{"namespace":"ns","name":"full","uid":"u1",
                          "resourceVersion":"5","deletionTimestamp":"2026-01-02T03:04:05Z",
                          "ownerReferences":[{"kind":"Pod","name":"p","uid":"u9",
                           "controller":true}],
                          "annotations":{"pv.kubernetes.io/bind-completed":"yes",
                           "volume.kubernetes.io/selected-node":"n",
                           "volume.beta.kubernetes.io/storage-class":"old"}},
                         "spec":{"accessModes":["ReadWriteOncePod"],
                          "resources":{"limits":{"storage":"9Gi"},"requests":{"storage":"2Gi"}},
                          "volumeName":"v","storageClassName":"new","volumeMode":"Block",
                          "volumeAttributesClassName":"gold",
                          "selector":{"matchLabels":{"a":"b"}}},
                         "status":{"phase":"Lost","capacity":{"storage":"2Gi"}}}
                        """,
                        PersistentVolumeClaim.named("ns", "full")
                                .uid("u1")
                                .resourceVersion("5")
                                .deleting(true)
                                .controllerUid("u9")
                                .bindCompleted(true)
                                .selectedNode("n")
                                .storageClass("old")
                                .accessModes(AccessMode.READ_WRITE_ONCE_POD)
                                .request(Quantity.parse("2Gi"))
                                .volumeName("v")
                                .volumeMode("Block")
                                .attributesClass("gold")
                                .selector(LabelSelector.matching("a", "b"))
                                .phase("Lost")
                                .build()),
                new Case(
                        Kind.PERSISTENT_VOLUME_CLAIM,
                        "PersistentVolumeClaim",
                        "{\"metadata\":{\"namespace\":\"ns\",\"name\":\"bare\"},\"spec\":{}}",
                        PersistentVolumeClaim.named("ns", "bare").build()),
                new Case(
                        Kind.PERSISTENT_VOLUME_CLAIM,
                        "PersistentVolumeClaim",
                        """
                        {"metadata":{"namespace":"ns","name":"annotated",
                          "annotations":{"volume.kubernetes.io/selected-node":""}},"spec":{}}
                        """,
                        PersistentVolumeClaim.named("ns", "annotated").selectedNode("").build()),
                new Case(
                        Kind.PERSISTENT_VOLUME_CLAIM,
                        "PersistentVolumeClaim",
                        """
                        {"metadata":{"namespace":"ns","name":"annotated",
                          "annotations":{"volume.kubernetes.io/storage-provisioner":"x"}},
                         "spec":{}}
                        """,
                        PersistentVolumeClaim.named("ns", "annotated").annotated(true).build()),
                new Case(
                        Kind.STORAGE_CLASS,
                        "StorageClass",
                        """
                        {"metadata":{"name":"late"},"provisioner":"p","reclaimPolicy":"Delete",
                         "parameters":{"a":"b"},"volumeBindingMode":"WaitForFirstConsumer",
                         "allowedTopologies":[{"matchLabelExpressions":[
                          {"key":"zone","values":["a","b"]}]}]}
                        """,
                        new StorageClass("late", "p", BindingMode.WAIT_FOR_FIRST_CONSUMER, ZONE_A)),
                new Case(
                        Kind.STORAGE_CLASS,
                        "StorageClass",
                        "{\"metadata\":{\"name\":\"now\"},\"volumeBindingMode\":\"Immediate\"}",
                        new StorageClass(
                                "now", "", BindingMode.IMMEDIATE, new NodeSelector(List.of()))),
                new Case(
                        Kind.STORAGE_CLASS,
                        "StorageClass",
                        "{\"metadata\":{\"name\":\"unset\"},\"provisioner\":\"p\"}",
                        new StorageClass(
                                "unset", "p", BindingMode.UNSET, new NodeSelector(List.of()))),
                new Case(
                        Kind.CSI_NODE,
                        "CSINode",
                        """
                        {"metadata":{"name":"n","annotations":{
                          "storage.alpha.kubernetes.io/migrated-plugins":
                           "kubernetes.io/aws-ebs,kubernetes.io/gce-pd"}},
                         "spec":{"drivers":[
                          {"name":"d","nodeID":"i","topologyKeys":["zone"],
                           "allocatable":{"count":39}},
                          {"name":"none","nodeID":"i","allocatable":{"count":0}},
                          {"name":"free","nodeID":"i"},
                          {"name":"odd","nodeID":"i","allocatable":{}}]}}
                        """,
                        new CsiNode(
                                "n",
                                List.of(
                                        new CsiNode.Driver("d", 39),
                                        new CsiNode.Driver("none", 0),
                                        new CsiNode.Driver("free", CsiNode.UNLIMITED),
                                        new CsiNode.Driver("odd", CsiNode.UNLIMITED)),
                                Set.of("kubernetes.io/aws-ebs", "kubernetes.io/gce-pd"))),
                new Case(
                        Kind.CSI_DRIVER,
                        "CSIDriver",
                        """
                        {"metadata":{"name":"d"},"spec":{"attachRequired":true,
                         "storageCapacity":true,"preventPodSchedulingIfMissing":true}}
                        """,
                        new CsiDriver("d", true, true)),
                new Case(
                        Kind.CSI_DRIVER,
                        "CSIDriver",
                        "{\"metadata\":{\"name\":\"plain\"},\"spec\":{\"storageCapacity\":false}}",
                        new CsiDriver("plain", false, false)),
                new Case(
                        Kind.CSI_STORAGE_CAPACITY,
                        "CSIStorageCapacity",
                        """
                        {"metadata":{"namespace":"ns","name":"c"},"storageClassName":"sc",
                         "nodeTopology":{"matchLabels":{"zone":"a"}},
                         "capacity":"10Gi","maximumVolumeSize":"1Gi"}
                        """,
                        new CsiStorageCapacity(
                                "ns",
                                "c",
                                "sc",
                                LabelSelector.matching("zone", "a"),
                                Quantity.parse("10Gi"),
                                Quantity.parse("1Gi"))),
                new Case(
                        Kind.CSI_STORAGE_CAPACITY,
                        "CSIStorageCapacity",
                        "{\"metadata\":{\"namespace\":\"ns\",\"name\":\"bare\"}}",
                        new CsiStorageCapacity(
                                "ns", "bare", "", LabelSelector.NOTHING, null, null)),
                new Case(
                        Kind.VOLUME_ATTACHMENT,
                        "VolumeAttachment",
                        """
                        {"metadata":{"name":"a"},"spec":{"attacher":"d","nodeName":"n",
                         "source":{"persistentVolumeName":"v"}},"status":{"attached":true}}
                        """,
                        new VolumeAttachment("a", "d", "n", "v")),
                new Case(
                        Kind.VOLUME_ATTACHMENT,
                        "VolumeAttachment",
                        """
                        {"metadata":{"name":"inline"},"spec":{"attacher":"d","nodeName":"n",
                         "source":{"inlineVolumeSpec":{"volumeMode":"Block"}}}}
                        """,
                        new VolumeAttachment("inline", "d", "n", "")));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void areReadFromJson(Case one) throws Exception {
        assertThat(read(one.kind, one.json)).isEqualTo(one.expected);
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Tag("P-123")
    void areReadFromProtobuf(Case one) throws Exception {
        byte[] bytes = Protobuf.object(one.name, tree(one.json));
        var in =
                new ProtobufInput(shared)
                        .reset(bytes, 0, bytes.length, KindTable.of(one.kind).schema());
        assertThat(new ObjectReader(one.kind, false).read(in).object()).isEqualTo(one.expected);
    }

    /// Whatever bytes come: an object, one that is passed over, or an error that is told as
    /// malformed.
    @ParameterizedTest
    @MethodSource("cases")
    void garbledBytesEndInAnErrorOrAnObject(Case one) throws Exception {
        var random = new Random(7);
        byte[] whole = Protobuf.object(one.name, tree(one.json));
        for (int round = 0; round < 300; round++) {
            byte[] object = whole.clone();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                object[random.nextInt(object.length)] = (byte) random.nextInt(256);
            }
            byte[] event = Protobuf.event("ADDED", Protobuf.inEnvelope("v1", one.name, object));
            try (var reader =
                    WatchReader.of(
                            new ByteArrayInputStream(event), Encoding.PROTOBUF, one.kind, shared)) {
                assertThat(reader.next()).isInstanceOf(WatchEvent.Seen.class);
            } catch (IOException error) {
                assertThat(WatchReader.isMalformed(error)).isTrue();
            }
        }
        assertThat(shared.mistakes()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"gcePersistentDisk\":{\"pdName\":\"x\"}}",
                "{\"awsElasticBlockStore\":{\"volumeID\":\"x\"}}",
                "{\"azureDisk\":{\"diskName\":\"x\",\"diskURI\":\"y\",\"kind\":\"Dedicated\"}}",
                "{\"azureDisk\":{\"diskName\":\"x\",\"diskURI\":\"y\"}}",
                "{\"azureFile\":{\"secretName\":\"x\",\"shareName\":\"y\"}}",
                "{\"cinder\":{\"volumeID\":\"x\"}}",
                "{\"portworxVolume\":{\"volumeID\":\"x\"}}",
                "{\"vsphereVolume\":{\"volumePath\":\"x\",\"fsType\":\"y\"}}",
            })
    void sourcesInTheTreeAreReadAlikeOfVolumesAndOfPods(String source) throws Exception {
        var volume = read(Kind.PERSISTENT_VOLUME, "{\"spec\":" + source + "}");
        var pod = read(Kind.POD, "{\"spec\":{\"volumes\":[" + source + "]}}");
        var found = ((PersistentVolume) volume).source();
        assertThat(((Pod) pod).spec().volumes())
                .singleElement()
                .satisfies(each -> assertThat(each.source()).isEqualTo(found));
        for (var kind : List.of(Kind.PERSISTENT_VOLUME, Kind.POD)) {
            boolean isPod = kind == Kind.POD;
            String json =
                    isPod
                            ? "{\"spec\":{\"volumes\":[" + source + "]}}"
                            : "{\"spec\":" + source + "}";
            byte[] bytes = Protobuf.object(isPod ? "Pod" : "PersistentVolume", tree(json));
            var in =
                    new ProtobufInput(shared)
                            .reset(bytes, 0, bytes.length, KindTable.of(kind).schema());
            assertThat(new ObjectReader(kind, false).read(in).object())
                    .isEqualTo(isPod ? pod : volume);
        }
    }

    @Test
    void sourcesInTheTreeKeepWhatTheirTranslationAsksFor() throws Exception {
        var pod =
                (Pod)
                        read(
                                Kind.POD,
                                """
                                {"spec":{"volumes":[
                                 {"name":"a","azureDisk":{"diskName":"n","diskURI":"u",
                                  "kind":null}},
                                 {"name":"b","awsElasticBlockStore":{"volumeID":"vol-1"}},
                                 {"name":"c","cinder":{"volumeID":"v"}},
                                 {"name":"d","csi":{"driver":"inline","readOnly":true}},
                                 {"name":"e","azureFile":{}},
                                 {"name":"f","vsphereVolume":{"volumePath":"p"}},
                                 {"name":"g","portworxVolume":{"volumeID":"w"}}]}}
                                """);
        assertThat(pod.spec().volumes())
                .containsExactly(
                        new Volume("a", new Volume.AzureDisk("n", "u", "Managed")),
                        new Volume("b", new Volume.AwsElasticBlockStore("vol-1", false)),
                        new Volume("", new Volume.Cinder("v")),
                        new Volume("", new Volume.Csi("inline", "")),
                        new Volume("", new Volume.AzureFile()),
                        new Volume("", new Volume.Vsphere("p")),
                        new Volume("", new Volume.Portworx("w")));
    }

    @Test
    void volumesOfOneZoneShareWhoReachesThem() throws Exception {
        var first = cases().findFirst().orElseThrow();
        var one = (PersistentVolume) read(first.kind, first.json);
        var two = (PersistentVolume) read(first.kind, first.json);
        assertThat(two.nodeAffinity()).isSameAs(one.nodeAffinity());
        assertThat(two.accessModes()).isSameAs(one.accessModes());
    }

    private ClusterObject read(Kind kind, String json) throws IOException {
        try (var in = new JsonInput(json.getBytes(StandardCharsets.UTF_8), shared)) {
            in.nextValue();
            return Objects.requireNonNull(new ObjectReader(kind, false).read(in).object());
        }
    }

    private static Map<String, Object> tree(String json) {
        return new org.yaml.snakeyaml.Yaml().load(json);
    }
}
