package io.berth.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Server-side apply, and the record of who wrote what.
public abstract class ApplyConformance extends ConformanceBase {
    private static final String APPLY = "application/apply-patch+yaml";

    private Answer apply(String manager, String data) {
        return client.patch(
                configMaps() + "/c?fieldManager=" + manager,
                APPLY,
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {" + data + "}\n");
    }

    @Test
    void applyCreatesAndRemembersTheManager() {
        Answer made = apply("m", "a: one");
        assertThat(made.code()).as(made.text()).isEqualTo(201);
        assertThat(made.at("/data/a")).isEqualTo("one");
        assertThat(made.at("/metadata/managedFields/0/manager")).isEqualTo("m");
        assertThat(made.at("/metadata/managedFields/0/operation")).isEqualTo("Apply");
        assertThat(made.body().at("/metadata/managedFields/0/fieldsV1").path("f:data").has("f:a"))
                .isTrue();
    }

    @Test
    void applyingTheSameAgainChangesNothing() {
        Answer made = apply("m", "a: one");
        Answer again = apply("m", "a: one");
        assertThat(again.code()).isEqualTo(200);
        assertThat(again.version()).isEqualTo(made.version());
    }

    @Test
    void fieldsThatAreNoLongerAppliedGo() {
        apply("m", "a: one, b: two");
        Answer less = apply("m", "a: one");
        assertThat(less.body().path("data").has("b")).isFalse();
        assertThat(less.at("/data/a")).isEqualTo("one");
    }

    @Test
    void fieldsOfOthersAreTakenByForceOnly() {
        apply("m", "a: one");
        Answer conflict = apply("n", "a: two");
        assertFailure(
                conflict,
                409,
                "Conflict",
                "Apply failed with 1 conflict: conflict with \"m\": .data.a");
        assertThat(conflict.at("/details/causes/0/reason")).isEqualTo("FieldManagerConflict");
        assertThat(conflict.at("/details/causes/0/field")).isEqualTo(".data.a");
        assertThat(apply("n&force=true", "a: two").at("/data/a")).isEqualTo("two");
    }

    @Test
    void managerMustBeNamed() {
        assertFailure(
                client.patch(
                        configMaps() + "/c",
                        APPLY,
                        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"),
                422,
                "Invalid",
                "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is"
                        + " required for apply patch");
        assertFailure(
                client.patch(configMaps() + "/c?force=true", Client.MERGE, "{}"),
                422,
                "Invalid",
                "PatchOptions.meta.k8s.io \"\" is invalid: force: Forbidden: may not be specified"
                        + " for non-apply patch");
    }

    @Test
    void otherWritesAreRecordedToo() {
        created(
                configMaps() + "?fieldManager=maker",
                "{\"metadata\":{\"name\":\"c\"},\"data\":{\"z\":\"z\"}}");
        Answer patched =
                client.patch(
                        configMaps() + "/c?fieldManager=changer",
                        Client.MERGE,
                        "{\"data\":{\"a\":\"b\"}}");
        var managers = patched.body().at("/metadata/managedFields");
        assertThat(managers.findValuesAsText("manager"))
                .containsExactlyInAnyOrder("maker", "changer");
        assertThat(managers.findValuesAsText("operation")).containsOnly("Update");
        Answer conflict = apply("m", "a: other");
        assertThat(conflict.code()).isEqualTo(409);
        assertThat(conflict.message())
                .startsWith("Apply failed with 1 conflict: conflict with \"changer\" using v1");
    }
}
