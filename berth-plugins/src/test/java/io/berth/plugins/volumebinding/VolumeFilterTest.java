package io.berth.plugins.volumebinding;

import static io.berth.plugins.volumebinding.Fixtures.DRIVER;
import static io.berth.plugins.volumebinding.Fixtures.ZONE;
import static io.berth.plugins.volumebinding.Fixtures.claim;
import static io.berth.plugins.volumebinding.Fixtures.in;
import static io.berth.plugins.volumebinding.Fixtures.node;
import static io.berth.plugins.volumebinding.Fixtures.podWith;
import static io.berth.plugins.volumebinding.Fixtures.storageClass;
import static io.berth.plugins.volumebinding.Fixtures.volume;
import static io.berth.plugins.volumebinding.Fixtures.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.model.AccessMode;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.CsiNode;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolume.ClaimReference;
import io.berth.api.model.PersistentVolumeBuilder;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.PersistentVolumeClaimBuilder;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Volume;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import io.berth.testkit.Nodes;
import io.berth.testkit.Pods;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class VolumeFilterTest {
    private static final String OTHER_NODES = VolumeJudge.REASONS.get(0);
    private static final String NO_VOLUME = VolumeJudge.REASONS.get(1);
    private static final String GONE = VolumeJudge.REASONS.get(3);

    private final TestCluster cluster = new TestCluster();
    private final VolumeBinding plugin = new VolumeBinding(VolumeBindingArguments.DEFAULT, cluster);

    private PreFilterVerdict preFilter(Pod pod) {
        return PluginRun.of(cluster, plugin, pod).preFilter();
    }

    private List<String> reasons(Pod pod, String node) {
        return Fixtures.reasons(PluginRun.of(cluster, plugin, pod).filter(node));
    }

    private void twoZones() {
        cluster.add(node("a1", "a"), node("b1", "b"));
    }

    @Nested
    @Tag("VB-2")
    final class ClaimsThatWillNotDo {
        private Pod ephemeral() {
            var spec = PodSpec.builder().volume(new Volume("tmp", new Volume.Ephemeral())).build();
            return Pods.pod("p").build().toBuilder().spec(spec).build();
        }

        private PersistentVolumeClaim ephemeralClaim(String owner) {
            return claim("p-tmp", "1Gi").controllerUid(owner).boundTo("v").build();
        }

        @Test
        void missingClaim() {
            assertThat(preFilter(podWith("c")))
                    .isEqualTo(Refusal.hopeless("persistentvolumeclaim \"c\" not found"));
        }

        @Test
        void claimThatIsYetToBeMadeForThePod() {
            assertThat(preFilter(ephemeral()))
                    .isEqualTo(
                            Refusal.hopeless(
                                    "waiting for ephemeral volume controller to create the"
                                            + " persistentvolumeclaim \"p-tmp\""));
        }

        @Test
        void claimThatWasMadeForAnother() {
            cluster.add(ephemeralClaim("somebody"));
            assertThat(preFilter(ephemeral()))
                    .isEqualTo(
                            Refusal.hopeless(
                                    "PVC default/p-tmp was not created for pod default/p (pod is"
                                            + " not owner)"));
            cluster.add(ephemeralClaim(ephemeral().uid()));
            assertThat(preFilter(ephemeral())).isEqualTo(PreFilterVerdict.PASS);
        }

        @Test
        void lostClaim() {
            cluster.add(claim("c", "1Gi").volumeName("v").phase("Lost").build());
            assertThat(preFilter(podWith("c")))
                    .isEqualTo(
                            Refusal.hopeless(
                                    "persistentvolumeclaim \"c\" bound to non-existent"
                                            + " persistentvolume \"v\""));
        }

        @Test
        void deletedClaim() {
            cluster.add(claim("c", "1Gi").boundTo("v").deleting(true).build());
            assertThat(preFilter(podWith("c")))
                    .isEqualTo(Refusal.hopeless("persistentvolumeclaim \"c\" is being deleted"));
        }
    }

    @Nested
    @Tag("VB-3")
    @Tag("VB-4")
    @Tag("VB-5")
    final class SortsOfClaims {
        @Test
        void podWithoutClaimsIsSkippedAndHasNotesAllTheSame() {
            var run = PluginRun.of(cluster, plugin, podWith());
            assertThat(run.preFilter()).isEqualTo(PreFilterVerdict.SKIP);
            assertThat(run.cycle().find(PodVolumes.KEY)).isNotNull();
        }

        @Test
        void boundClaimNeedsBothTheVolumeAndTheMark() {
            cluster.add(claim("c", "1Gi").boundTo("v").build());
            assertThat(preFilter(podWith("c"))).isEqualTo(PreFilterVerdict.PASS);
            cluster.add(claim("c", "1Gi").volumeName("v").build());
            assertThat(preFilter(podWith("c"))).isEqualTo(VolumeBinding.UNBOUND_IMMEDIATE);
        }

        @Test
        void unboundClaimPassesOnlyWhereItsClassWaits() {
            cluster.add(claim("c", "1Gi").build());
            assertThat(preFilter(podWith("c")))
                    .as("no class of that name")
                    .isEqualTo(VolumeBinding.UNBOUND_IMMEDIATE);
            cluster.add(storageClass("wait", DRIVER, BindingMode.IMMEDIATE));
            assertThat(preFilter(podWith("c"))).isEqualTo(VolumeBinding.UNBOUND_IMMEDIATE);
            cluster.add(waiting("wait", DRIVER));
            assertThat(preFilter(podWith("c"))).isEqualTo(PreFilterVerdict.PASS);
            cluster.add(claim("c", "1Gi").storageClass("").build());
            assertThat(preFilter(podWith("c"))).isEqualTo(VolumeBinding.UNBOUND_IMMEDIATE);
        }

        @Test
        void classWithoutModeIsAnError() {
            cluster.add(claim("c", "1Gi").build(), storageClass("wait", DRIVER, BindingMode.UNSET));
            assertThatThrownBy(() -> preFilter(podWith("c")))
                    .hasMessage("VolumeBindingMode not set for StorageClass \"wait\"");
        }
    }

    @Nested
    @Tag("VB-6")
    final class BoundClaims {
        @Test
        void nodeMustReachTheVolume() {
            twoZones();
            cluster.add(
                    claim("c", "1Gi").boundTo("v").build(),
                    volume("v", "1Gi").nodeAffinity(in(ZONE, "a")).build());
            assertThat(reasons(podWith("c"), "a1")).isEmpty();
            assertThat(reasons(podWith("c"), "b1")).containsExactly(OTHER_NODES);
        }

        @Test
        void firstClaimThatFailsDecides() {
            twoZones();
            cluster.add(
                    claim("c", "1Gi").boundTo("v").build(),
                    volume("v", "1Gi").nodeAffinity(in(ZONE, "a")).build(),
                    claim("gone", "1Gi").boundTo("nowhere").build());
            assertThat(reasons(podWith("c", "gone"), "a1")).containsExactly(GONE);
            assertThat(reasons(podWith("c", "gone"), "b1")).containsExactly(OTHER_NODES);
            assertThat(reasons(podWith("gone", "c"), "b1")).containsExactly(GONE);
        }

        @Test
        void volumeIsNotAskedForTheNameOfTheNode() {
            twoZones();
            var byName =
                    new NodeSelector(
                            List.of(
                                    new NodeSelector.Term(
                                            List.of(),
                                            in("metadata.name", "a1")
                                                    .terms()
                                                    .getFirst()
                                                    .expressions())));
            cluster.add(
                    claim("c", "1Gi").boundTo("v").build(),
                    volume("v", "1Gi").nodeAffinity(byName).build());
            assertThat(reasons(podWith("c"), "a1")).containsExactly(OTHER_NODES);
        }

        @Test
        void volumeOfOldIsReachedInTheWordsOfItsDriverWhereTheNodeIsMigrated() {
            cluster.add(
                    node("old", "a"),
                    Nodes.node("new").label("topology.gke.io/zone", "a").build(),
                    new CsiNode("new", List.of(), Set.of("kubernetes.io/gce-pd")),
                    claim("c", "1Gi").boundTo("v").build(),
                    volume("v", "1Gi")
                            .source(new Volume.GcePersistentDisk("disk", false))
                            .nodeAffinity(in(ZONE, "a"))
                            .build());
            assertThat(reasons(podWith("c"), "old")).isEmpty();
            assertThat(reasons(podWith("c"), "new")).isEmpty();
            cluster.add(new CsiNode("new", List.of(), Set.of("kubernetes.io/aws-ebs")));
            assertThat(reasons(podWith("c"), "new")).containsExactly(OTHER_NODES);
        }

        @Test
        void zonesInTheLabelsOfAVolumeOfOldCountWhereTheNodeIsMigrated() {
            cluster.add(
                    Nodes.node("a1").label("topology.ebs.csi.aws.com/zone", "a").build(),
                    Nodes.node("c1").label("topology.ebs.csi.aws.com/zone", "c").build(),
                    new CsiNode("a1", List.of(), Set.of("kubernetes.io/aws-ebs")),
                    new CsiNode("c1", List.of(), Set.of("kubernetes.io/aws-ebs")),
                    claim("c", "1Gi").boundTo("v").build(),
                    volume("v", "1Gi")
                            .source(new Volume.AwsElasticBlockStore("vol-1", false))
                            .labels(Labels.of(ZONE, "a__b"))
                            .build());
            assertThat(reasons(podWith("c"), "a1")).isEmpty();
            assertThat(reasons(podWith("c"), "c1")).containsExactly(OTHER_NODES);
        }

        /// Found beside kube-scheduler: zones of Azure's disks were looked for under the driver's
        /// label.
        @Test
        void azureDiskKeepsItsWordsWhereTheNodeIsMigrated() {
            cluster.add(
                    node("a1", "a"),
                    Nodes.node("new").label("topology.disk.csi.azure.com/zone", "a").build(),
                    new CsiNode("a1", List.of(), Set.of("kubernetes.io/azure-disk")),
                    new CsiNode("new", List.of(), Set.of("kubernetes.io/azure-disk")),
                    claim("c", "1Gi").boundTo("v").build(),
                    volume("v", "1Gi")
                            .source(new Volume.AzureDisk("disk", "uri", Volume.AzureDisk.MANAGED))
                            .nodeAffinity(in(ZONE, "a"))
                            .build());
            assertThat(reasons(podWith("c"), "a1")).isEmpty();
            assertThat(reasons(podWith("c"), "new")).containsExactly(OTHER_NODES);
        }

        @ParameterizedTest
        @CsvSource({
            "a__b, 'zone in unexpected format, expected: {locale}-{region}-{zone}, got: a'",
            "x-y-a__u-v-a, 'multiple or no regions gotten from zones, got: map[u-v:{} x-y:{}]'"
        })
        void zonesWithoutARegionAreToldWhereTheNodeIsMigrated(String zones, String told) {
            cluster.add(
                    node("a1", "a"),
                    new CsiNode("a1", List.of(), Set.of("kubernetes.io/gce-pd")),
                    claim("c", "1Gi").boundTo("v").build(),
                    volume("v", "1Gi")
                            .source(new Volume.GcePersistentDisk("disk", false))
                            .labels(Labels.of(ZONE, zones))
                            .build());
            assertThatThrownBy(() -> reasons(podWith("c"), "a1"))
                    .hasMessage("could not translate pv: failed to get region from zones: " + told);
        }
    }

    @Nested
    @Tag("VB-7")
    final class SelectedNode {
        @Test
        void claimWhoseNodeWasSelectedGoesNowhereElse() {
            twoZones();
            cluster.add(waiting("wait", DRIVER), claim("c", "1Gi").selectedNode("a1").build());
            assertThat(reasons(podWith("c"), "a1")).isEmpty();
            assertThat(reasons(podWith("c"), "b1")).containsExactly(NO_VOLUME);
        }

        @Test
        void itWaitsForAVolumeToBeMadeThoughOneIsThere() {
            twoZones();
            cluster.add(
                    waiting("wait", StorageClass.NO_PROVISIONER),
                    claim("c", "1Gi").selectedNode("a1").build(),
                    volume("v", "1Gi").build());
            assertThat(reasons(podWith("c"), "a1")).containsExactly(NO_VOLUME);
        }
    }

    @Nested
    @Tag("VB-8")
    final class SeveralClaims {
        @Test
        void smallestClaimChoosesFirstAndAVolumeIsTakenOnce() {
            twoZones();
            cluster.add(
                    waiting("wait", StorageClass.NO_PROVISIONER),
                    claim("large", "5Gi").build(),
                    claim("small", "1Gi").build(),
                    volume("v1", "2Gi").build(),
                    volume("v2", "6Gi").build());
            assertThat(reasons(podWith("large", "small"), "a1")).isEmpty();
            cluster.add(volume("v1", "2Gi").phase("Bound").build());
            assertThat(reasons(podWith("large", "small"), "a1")).containsExactly(NO_VOLUME);
        }

        @Test
        void claimsWithoutVolumeAreMade() {
            twoZones();
            cluster.add(
                    waiting("wait", DRIVER),
                    claim("large", "5Gi").build(),
                    claim("small", "1Gi").build(),
                    volume("v1", "2Gi").build());
            assertThat(reasons(podWith("large", "small"), "a1")).isEmpty();
        }
    }

    @Nested
    @Tag("VB-9")
    final class Matching {
        private static final ClaimReference OTHER = new ClaimReference("default", "x", "");

        record Case(
                String name,
                UnaryOperator<PersistentVolumeBuilder> volume,
                UnaryOperator<PersistentVolumeClaimBuilder> claim,
                boolean fits) {
            @Override
            public String toString() {
                return name;
            }
        }

        static Stream<Case> cases() {
            return Stream.of(
                    new Case("as it is", v -> v, c -> c, true),
                    new Case("kept for another", v -> v.claim(OTHER), c -> c, false),
                    new Case(
                            "kept for this one, whatever its phase",
                            v -> v.claim(new ClaimReference("default", "c", "")).phase("Pending"),
                            c -> c,
                            true),
                    new Case(
                            "kept for one of the name that was before",
                            v -> v.claim(new ClaimReference("default", "c", "old")),
                            c -> c,
                            false),
                    new Case("too small", v -> v.capacity(Quantity.parse("1")), c -> c, false),
                    new Case("no request", v -> v, c -> c.request(null), true),
                    new Case("other mode", v -> v.volumeMode("Block"), c -> c, false),
                    new Case("other attributes", v -> v.attributesClass("fast"), c -> c, false),
                    new Case("going", v -> v.deleting(true), c -> c, false),
                    new Case("not available", v -> v.phase("Released"), c -> c, false),
                    new Case("other class", v -> v.storageClass("other"), c -> c, false),
                    new Case(
                            "other labels",
                            v -> v,
                            c -> c.selector(LabelSelector.matching("a", "b")),
                            false),
                    new Case(
                            "wanted labels",
                            v -> v.labels(Labels.of("a", "b")),
                            c -> c.selector(LabelSelector.matching("a", "b")),
                            true),
                    new Case(
                            "mode that it lacks",
                            v -> v,
                            c -> c.accessModes(AccessMode.READ_WRITE_MANY),
                            false),
                    new Case(
                            "more modes than wanted",
                            v ->
                                    v.accessModes(
                                            AccessMode.READ_WRITE_MANY, AccessMode.READ_WRITE_ONCE),
                            c -> c,
                            true));
        }

        @ParameterizedTest
        @MethodSource("cases")
        void volumeFitsOrNot(Case each) {
            twoZones();
            cluster.add(
                    waiting("wait", StorageClass.NO_PROVISIONER),
                    each.claim.apply(claim("c", "1Gi")).build(),
                    each.volume.apply(volume("v", "1Gi")).build());
            assertThat(reasons(podWith("c"), "a1").isEmpty()).isEqualTo(each.fits);
        }

        @Test
        void volumeThatIsKeptForTheClaimIsTheOnlyOne() {
            twoZones();
            cluster.add(
                    waiting("wait", StorageClass.NO_PROVISIONER),
                    claim("c", "1Gi").build(),
                    volume("free", "1Gi").build(),
                    volume("kept", "1Gi")
                            .claim(new ClaimReference("default", "c", ""))
                            .nodeAffinity(in(ZONE, "a"))
                            .build());
            assertThat(reasons(podWith("c"), "a1")).isEmpty();
            assertThat(reasons(podWith("c"), "b1")).containsExactly(NO_VOLUME);
        }

        @Test
        @Tag("VB-12")
        void smallestVolumeThatTheNodeReachesIsChosen() {
            twoZones();
            cluster.add(
                    waiting("wait", StorageClass.NO_PROVISIONER),
                    claim("c", "1Gi").build(),
                    volume("large", "9Gi").nodeAffinity(in(ZONE, "a")).build(),
                    volume("small", "2Gi").nodeAffinity(in(ZONE, "b")).build(),
                    volume("middle", "5Gi").build());
            assertThat(chosen("a1")).isEqualTo("middle");
            assertThat(chosen("b1")).isEqualTo("small");
        }

        private String chosen(String node) {
            var run = PluginRun.of(cluster, plugin, podWith("c"));
            run.preFilter();
            plugin.reserve(run.cycle(), podWith("c"), node);
            var choice = Objects.requireNonNull(run.cycle().read(PodVolumes.KEY).choice());
            plugin.unreserve(run.cycle(), podWith("c"), node);
            return choice.bindings().getFirst().volume().name();
        }
    }

    @Nested
    @Tag("VB-10")
    final class Made {
        @Test
        void classWithoutProvisionerMakesNone() {
            twoZones();
            cluster.add(waiting("wait", ""), claim("c", "1Gi").build());
            assertThat(reasons(podWith("c"), "a1")).containsExactly(NO_VOLUME);
        }

        @Test
        void onlyForNodesThatTheClassAllows() {
            twoZones();
            cluster.add(
                    new StorageClass(
                            "wait", DRIVER, BindingMode.WAIT_FOR_FIRST_CONSUMER, in(ZONE, "a")),
                    claim("c", "1Gi").build());
            assertThat(reasons(podWith("c"), "a1")).isEmpty();
            assertThat(reasons(podWith("c"), "b1")).containsExactly(NO_VOLUME);
        }

        @Test
        void emptyTermAllowsNothing() {
            twoZones();
            var none = new NodeSelector(List.of(new NodeSelector.Term(List.of(), List.of())));
            cluster.add(
                    new StorageClass("wait", DRIVER, BindingMode.WAIT_FOR_FIRST_CONSUMER, none),
                    claim("c", "1Gi").build());
            assertThat(reasons(podWith("c"), "a1")).containsExactly(NO_VOLUME);
        }

        @Test
        void claimMustHaveAClassThatIsThere() {
            var provisioning =
                    new Provisioning(
                            cluster.objects.of(Kind.STORAGE_CLASS, StorageClass.class),
                            cluster.objects.of(Kind.CSI_DRIVER, CsiDriver.class),
                            new Capacities(cluster.columns()));
            var classless = claim("c", "1Gi").storageClass("").build();
            assertThatThrownBy(() -> provisioning.of(classless, cluster.columns()))
                    .hasMessage("no class for claim \"default/c\"");
            var unknown = claim("c", "1Gi").build();
            assertThatThrownBy(() -> provisioning.of(unknown, cluster.columns()))
                    .hasMessage("failed to find storage class \"wait\"");
        }
    }

    @Test
    @Tag("VB-6")
    @Tag("VB-8")
    void reasonsOfBothSortsComeInTheirOrder() {
        twoZones();
        cluster.add(
                claim("bound", "1Gi").boundTo("v").build(),
                volume("v", "1Gi").nodeAffinity(in(ZONE, "a")).build(),
                waiting("wait", ""),
                claim("open", "1Gi").build());
        assertThat(reasons(podWith("open", "bound"), "b1")).containsExactly(OTHER_NODES, NO_VOLUME);
        assertThat(PluginRun.of(cluster, plugin, podWith("open", "bound")).filter("b1"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal ->
                                assertThat(refusal.remedy())
                                        .isEqualTo(Refusal.Remedy.NOTHING_HELPS));
    }

    @Test
    void podWhoseVolumesAreReachedFromEverywhereAsksNoNode() {
        twoZones();
        cluster.add(claim("c", "1Gi").boundTo("v").build(), volume("v", "1Gi").build());
        var verdicts = PluginRun.of(cluster, plugin, podWith("c")).filter();
        assertThat(verdicts).isEqualTo(Map.of("a1", Verdict.PASS, "b1", Verdict.PASS));
    }
}
