package io.berth.apiserver.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class SchemaCatalogTest {
    static final java.util.List<ResourceType> served = ResourceTable.ALL;

    @ParameterizedTest
    @FieldSource("served")
    void everyServedKindHasASchemaWithMetadata(ResourceType type) {
        var struct = SchemaCatalog.of(type).orElseThrow();
        assertThat(struct.field("metadata")).isPresent();
        assertThat(struct.field("kind")).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "core.v1.PodSpec, containers, merge, name, MAP, name",
        "core.v1.PodSpec, initContainers, merge, name, MAP, name",
        "core.v1.PodSpec, ephemeralContainers, merge, name, MAP, name",
        "core.v1.PodSpec, volumes, 'merge,retainKeys', name, MAP, name",
        "core.v1.PodSpec, tolerations, '', '', ATOMIC, ''",
        "core.v1.PodSpec, imagePullSecrets, merge, name, MAP, name",
        "core.v1.PodSpec, hostAliases, merge, ip, MAP, ip",
        "core.v1.PodSpec, topologySpreadConstraints, merge, topologyKey, MAP, 'topologyKey,whenUnsatisfiable'",
        "core.v1.PodSpec, schedulingGates, merge, name, MAP, name",
        "core.v1.PodSpec, resourceClaims, 'merge,retainKeys', name, MAP, name",
        "core.v1.Container, ports, merge, containerPort, MAP, 'containerPort,protocol'",
        "core.v1.Container, env, merge, name, MAP, name",
        "core.v1.Container, volumeMounts, merge, mountPath, MAP, mountPath",
        "core.v1.ServiceSpec, ports, merge, port, MAP, 'port,protocol'",
        "core.v1.PodStatus, conditions, merge, type, MAP, type",
        "core.v1.PodStatus, podIPs, merge, ip, MAP, ip",
        "core.v1.NodeStatus, addresses, merge, type, MAP, type",
        "meta.v1.ObjectMeta, finalizers, merge, '', SET, ''",
        "meta.v1.ObjectMeta, ownerReferences, merge, uid, MAP, uid",
        "apps.v1.DeploymentSpec, strategy, retainKeys, '', ATOMIC, ''",
    })
    void listsMergeByTheirKeys(
            String struct, String field, String strategy, String key, String kind, String keys) {
        Field found = SchemaCatalog.struct(struct).flatMap(type -> type.field(field)).orElseThrow();
        assertThat(found.patch().strategy()).isEqualTo(strategy);
        assertThat(found.patch().key()).isEqualTo(key);
        assertThat(found.listKind()).hasToString(kind);
        assertThat(String.join(",", found.listKeys())).isEqualTo(keys);
    }

    @Test
    void selectorIsOwnedAsOneValue() {
        assertThat(SchemaCatalog.struct("meta.v1.LabelSelector").orElseThrow().atomic()).isTrue();
    }
}
