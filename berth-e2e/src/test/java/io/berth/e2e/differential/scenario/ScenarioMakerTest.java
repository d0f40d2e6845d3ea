package io.berth.e2e.differential.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

final class ScenarioMakerTest {
    @Test
    void sameSeedMakesTheSameScenario() {
        var one = new ScenarioMaker(42);
        var other = new ScenarioMaker(42);

        assertThat(one.objects(5)).isEqualTo(other.objects(5));
        assertThat(one.pod(7)).isEqualTo(other.pod(7));
        assertThat(one.pod(8)).isNotEqualTo(other.pod(7));
    }

    @Test
    void someClustersChangeFromCaseToCase() {
        var changing =
                LongStream.rangeClosed(1, 20)
                        .mapToObj(ScenarioMaker::new)
                        .filter(maker -> !maker.objects(1).equals(maker.objects(20)))
                        .count();

        assertThat(changing).isBetween(3L, 17L);
    }

    /// No volume is larger by nothing than another: between equals chance would decide.
    @Test
    void noTwoVolumesOfACaseHaveTheSameSize() {
        var maker = new ScenarioMaker(3);
        for (int number = 1; number <= 20; number++) {
            var prefix = "c" + number + "-";
            var sizes =
                    maker.objects(number).stream()
                            .filter(o -> o.at("/metadata/name").asText().startsWith(prefix))
                            .map(o -> o.at("/spec/capacity/storage").asText())
                            .filter(size -> !size.isEmpty())
                            .toList();

            assertThat(sizes).doesNotHaveDuplicates();
        }
    }

    @Test
    void mostPodsOfAClusterAboutVolumesHaveSome() {
        var maker = new ScenarioMaker(3);
        var withVolumes =
                IntStream.rangeClosed(1, 20)
                        .mapToObj(maker::pod)
                        .filter(pod -> pod.at("/spec").has("volumes"))
                        .count();

        assertThat(withVolumes).isBetween(15L, 20L);
    }

    /// Whatever the volume plugins read turns up.
    @Test
    void everythingAboutVolumesTurnsUp() {
        var text = new StringBuilder();
        var kinds = new HashSet<String>();
        for (long seed = 3; seed <= 98; seed += 5) {
            var maker = new ScenarioMaker(seed);
            for (int number = 1; number <= 20; number++) {
                for (var o : number == 1 ? maker.objects(1) : objectsOfCase(maker, number)) {
                    kinds.add(o.at("/kind").asText());
                    text.append(o);
                }
                text.append(maker.pod(number));
            }
        }

        assertThat(kinds)
                .contains(
                        "PersistentVolume",
                        "PersistentVolumeClaim",
                        "StorageClass",
                        "CSINode",
                        "CSIDriver",
                        "CSIStorageCapacity",
                        "VolumeAttachment");
        assertThat(text.toString())
                .contains(
                        "ReadWriteOnce",
                        "ReadOnlyMany",
                        "ReadWriteMany",
                        "ReadWriteOncePod",
                        "\"Immediate\"",
                        "WaitForFirstConsumer",
                        "kubernetes.io/no-provisioner",
                        "allowedTopologies",
                        "maximumVolumeSize",
                        "\"allocatable\":{\"count\"",
                        "migrated-plugins",
                        "selected-node",
                        "bind-completed",
                        "volume.beta.kubernetes.io/storage-class",
                        "\"Lost\"",
                        "\"Released\"",
                        Vocabulary.LEAVING,
                        "volumeAttributesClassName",
                        "\"Block\"",
                        "\"selector\"",
                        VolumeMaker.UID_OF_CLAIM,
                        "volumeClaimTemplate",
                        "awsElasticBlockStore",
                        "gcePersistentDisk",
                        "aws://za/vol-",
                        "azureDisk",
                        "\"Dedicated\"",
                        "azureFile",
                        "cinder",
                        "portworxVolume",
                        "vsphereVolume",
                        "rbd",
                        "iscsi",
                        "failure-domain.beta.kubernetes.io/zone",
                        "za__zb",
                        "za____zb");
    }

    /// A mistake about access modes, sizes or room shows where a volume or a node would do but for
    /// that; such near misses are to be frequent.
    @Test
    void nearMissesAreFrequent() {
        int lackingModes = 0;
        int tightRoom = 0;
        int singlePod = 0;
        for (long seed = 3; seed <= 58; seed += 5) {
            var maker = new ScenarioMaker(seed);
            for (int number = 1; number <= 20; number++) {
                var objects = objectsOfCase(maker, number);
                for (var o : objects) {
                    lackingModes += lacksModes(o, objects) ? 1 : 0;
                    tightRoom += o.has("capacity") && o.has("maximumVolumeSize") ? 1 : 0;
                }
                singlePod +=
                        maker.pod(number).toString().contains("\"" + VolumeMaker.SOLO + "\"")
                                ? 1
                                : 0;
            }
        }

        assertThat(lackingModes).isGreaterThan(10);
        assertThat(tightRoom).isGreaterThan(20);
        assertThat(singlePod).isGreaterThan(10);
    }

    /// A mistake about volumes that another pod has mounted shows on nodes that have no place left.
    @Test
    void podsOftenShareAVolumeWithFullNodes() {
        int count = 0;
        for (long seed = 3; seed <= 58; seed += 5) {
            var maker = new ScenarioMaker(seed);
            for (int number = 1; number <= 20; number++) {
                var pod = maker.pod(number);
                var objects = maker.objects(number);
                count +=
                        usesCommon(pod)
                                        && objects.stream()
                                                .filter(o -> isBeside(pod, o))
                                                .anyMatch(o -> isFull(nodeOf(o), objects))
                                ? 1
                                : 0;
            }
        }

        assertThat(count).isGreaterThan(4);
    }

    private static boolean usesCommon(ObjectNode pod) {
        return pod.at("/spec/volumes").findValuesAsText("claimName").contains(VolumeMaker.COMMON);
    }

    private static boolean isBeside(ObjectNode pod, ObjectNode other) {
        return other.at("/kind").asText().equals("Pod")
                && !nodeOf(other).isEmpty()
                && other.at("/metadata/namespace").equals(pod.at("/metadata/namespace"))
                && usesCommon(other);
    }

    /// By the volumes that are attached, without the one that is mounted.
    private static boolean isFull(String node, List<ObjectNode> objects) {
        long attached =
                objects.stream()
                        .filter(o -> o.at("/kind").asText().equals("VolumeAttachment"))
                        .filter(o ->
                                o.at("/spec/attacher").asText().equals(StorageMaker.PLAIN_DRIVER))
                        .filter(o -> nodeOf(o).equals(node))
                        .count();
        return objects.stream()
                .filter(o -> o.at("/kind").asText().equals("CSINode"))
                .filter(o -> o.at("/metadata/name").asText().equals(node))
                .flatMap(o -> StreamSupport.stream(o.at("/spec/drivers").spliterator(), false))
                .filter(driver -> driver.at("/name").asText().equals(StorageMaker.PLAIN_DRIVER))
                .anyMatch(driver ->
                        driver.at("/allocatable").has("count")
                                && driver.at("/allocatable/count").asInt() <= attached + 1);
    }

    private static String nodeOf(ObjectNode object) {
        return object.at("/spec/nodeName").asText();
    }

    /// What is made for the pod of one case.
    private static List<ObjectNode> objectsOfCase(ScenarioMaker maker, int number) {
        return maker.objects(number).stream()
                .filter(o -> o.at("/metadata/name").asText().startsWith("c" + number + "-"))
                .toList();
    }

    /// Whether it is a free volume that a claim of the case would have, but for its access modes.
    private static boolean lacksModes(ObjectNode volume, List<ObjectNode> objects) {
        if (!volume.at("/kind").asText().equals("PersistentVolume")
                || !volume.at("/status/phase").asText().equals("Available")) {
            return false;
        }
        var modes = modes(volume);
        var storageClass = volume.at("/spec/storageClassName");
        return objects.stream()
                .filter(o -> o.at("/kind").asText().equals("PersistentVolumeClaim"))
                .filter(o -> o.at("/spec/storageClassName").equals(storageClass))
                .anyMatch(claim -> !modes.containsAll(modes(claim)));
    }

    private static Set<String> modes(ObjectNode object) {
        var modes = new HashSet<String>();
        object.at("/spec/accessModes").forEach(mode -> modes.add(mode.asText()));
        return modes;
    }

    /// Otherwise chance decides between two victims that are equal in all other respects.
    @Test
    void noTwoRivalsStartAtTheSameTime() {
        var starts =
                new ScenarioMaker(5)
                        .objects(1).stream()
                                .map(object -> object.at("/status/startTime").asText())
                                .filter(start -> !start.isEmpty())
                                .toList();

        assertThat(starts).hasSizeGreaterThan(5).doesNotHaveDuplicates();
    }

    /// What the default profile reads of a pod, a node and their surroundings turns up.
    @Test
    void everythingTheProfileReadsTurnsUp() {
        var text = new StringBuilder();
        var kinds = new HashSet<String>();
        LongStream.rangeClosed(1, 60)
                .mapToObj(ScenarioMaker::new)
                .forEach(maker -> {
                    maker.objects(1).forEach(o -> kinds.add(o.at("/kind").asText()));
                    maker.objects(1).forEach(text::append);
                    for (int i = 1; i <= 20; i++) {
                        text.append(maker.pod(i));
                    }
                });

        assertThat(kinds)
                .contains(
                        "Node",
                        "Pod",
                        "Service",
                        "ReplicaSet",
                        "StatefulSet",
                        "ReplicationController",
                        "PodDisruptionBudget");
        assertThat(text.toString())
                .contains(
                        "unschedulable",
                        "taints",
                        "hugepages-2Mi",
                        "example.com/gpu",
                        "declaredFeatures",
                        "sizeBytes",
                        "initContainers",
                        "\"restartPolicy\":\"Always\"",
                        "runtimeClassName",
                        "\"resources\":{\"requests\"",
                        "hostPort",
                        "hostIP",
                        "nodeSelector",
                        "matchFields",
                        "\"Gt\"",
                        "DoesNotExist",
                        "tolerations",
                        "minDomains",
                        "nodeAffinityPolicy",
                        "nodeTaintsPolicy",
                        "matchLabelKeys",
                        "mismatchLabelKeys",
                        "namespaceSelector",
                        "podAntiAffinity",
                        "priorityClassName",
                        "schedulingGates",
                        "nominatedNodeName",
                        "ownerReferences");
    }
}
