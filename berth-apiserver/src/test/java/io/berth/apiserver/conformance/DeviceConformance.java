package io.berth.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Device classes, slices, claims and their templates.
public abstract class DeviceConformance extends ConformanceBase {
    private static final String GROUP = "/apis/resource.k8s.io/v1";
    private static final String TABLE =
            "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

    private static final String ALLOCATED =
            """
            {"status":{"allocation":{"devices":{"results":[{"request":"r",
               "driver":"gpu.example.com","pool":"p","device":"d"}]}},
              "reservedFor":[{"resource":"pods","name":"p","uid":"1-2"}]}}\
            """;

    private String claims() {
        return GROUP + "/namespaces/" + namespace + "/resourceclaims";
    }

    private String templates() {
        return GROUP + "/namespaces/" + namespace + "/resourceclaimtemplates";
    }

    private static String claim(String name, String devices) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{\"devices\":" + devices + "}}";
    }

    private static String oneGpu(String name) {
        return claim(
                name,
                "{\"requests\":[{\"name\":\"r\",\"exactly\":{\"deviceClassName\":\"gpu.example.com\"}}]}");
    }

    private Answer dryClass(String spec) {
        return client.post(
                GROUP + "/deviceclasses?dryRun=All",
                "{\"metadata\":{\"name\":\"c\"},\"spec\":" + spec + "}");
    }

    private Answer drySlice(String spec) {
        return client.post(
                GROUP + "/resourceslices?dryRun=All",
                "{\"metadata\":{\"name\":\"s\"},\"spec\":" + spec + "}");
    }

    @Test
    void requestAsksForOneDeviceUnlessItSaysMore() {
        Answer claim = created(claims(), oneGpu("a"));
        assertThat(claim.at("/spec/devices/requests/0/exactly/allocationMode"))
                .isEqualTo("ExactCount");
        assertThat(claim.at("/spec/devices/requests/0/exactly/count")).isEqualTo("1");
        assertThat(claim.body().has("status")).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"requests\":[{\"name\":\"r\"}]}"
                        + "| spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required",
                "{\"requests\":[{\"name\":\"r\",\"exactly\":{}}]}"
                        + "| spec.devices.requests[0].exactly.deviceClassName: Required value",
                "{\"requests\":[{\"name\":\"r\",\"exactly\":{\"deviceClassName\":\"g\",\"count\":-1}}]}"
                        + "| spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero",
                "{\"requests\":[{\"name\":\"r\",\"exactly\":{\"deviceClassName\":\"g\",\"allocationMode\":\"All\",\"count\":2}}]}"
                        + "| spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'",
                "{\"requests\":[{\"name\":\"r\",\"exactly\":{\"deviceClassName\":\"g\",\"allocationMode\":\"Some\"}}]}"
                        + "| spec.devices.requests[0].exactly.allocationMode: Unsupported value: \"Some\": supported values: \"All\", \"ExactCount\"",
                "{\"requests\":[{\"name\":\"r\",\"exactly\":{\"deviceClassName\":\"g\",\"selectors\":[{}]}}]}"
                        + "| spec.devices.requests[0].exactly.selectors[0].cel: Required value",
                "{\"requests\":[{\"name\":\"r\",\"exactly\":{\"deviceClassName\":\"g\"}}],\"constraints\":[{\"requests\":[\"x\"],\"matchAttribute\":\"a.b/c\"}]}"
                        + "| spec.devices.constraints[0].requests[0]: Invalid value: \"x\": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
                "{\"requests\":[{\"name\":\"r\",\"exactly\":{\"deviceClassName\":\"g\"}},{\"name\":\"r\",\"exactly\":{\"deviceClassName\":\"g\"}}]}"
                        + "| spec.devices.requests[1]: Duplicate value: \"r\"",
            })
    void wrongClaimsAreExplained(String devices, String message) {
        assertFailure(
                client.post(claims(), claim("wrong", devices)),
                422,
                "Invalid",
                "ResourceClaim.resource.k8s.io \"wrong\" is invalid: " + message);
    }

    @Test
    void templateIsCheckedAsTheClaimIs() {
        assertFailure(
                client.post(
                        templates(),
                        "{\"metadata\":{\"name\":\"t\"},\"spec\":{\"spec\":{\"devices\":{\"requests\":[{\"name\":\"r\",\"exactly\":{}}]}}}}"),
                422,
                "Invalid",
                "ResourceClaimTemplate.resource.k8s.io \"t\" is invalid:"
                        + " spec.spec.devices.requests[0].exactly.deviceClassName: Required value");
    }

    @Test
    void whatAClaimAsksForStays() {
        created(claims(), oneGpu("fixed"));
        Answer changed =
                client.patch(
                        claims() + "/fixed",
                        Client.JSON_PATCH,
                        "[{\"op\":\"replace\",\"path\":\"/spec/devices/requests/0/exactly/count\",\"value\":2}]");
        assertThat(changed.code()).as(changed.text()).isEqualTo(422);
        assertThat(changed.message()).contains("spec: Invalid value: ", "field is immutable");
    }

    @Test
    void allocationIsWrittenOnceAndTakenBackWhole() {
        created(claims(), oneGpu("used"));
        Answer written = client.patch(claims() + "/used/status", Client.MERGE, ALLOCATED);
        assertThat(written.code()).as(written.text()).isEqualTo(200);
        Answer other =
                client.patch(
                        claims() + "/used/status",
                        Client.MERGE,
                        "{\"status\":{\"allocation\":{\"devices\":{\"results\":[{\"request\":\"r\","
                                + "\"driver\":\"gpu.example.com\",\"pool\":\"p\",\"device\":\"e\"}]}}}}");
        assertThat(other.code()).as(other.text()).isEqualTo(422);
        assertThat(other.message())
                .contains("status.allocation: Invalid value: ", "field is immutable");
        Answer back =
                client.patch(
                        claims() + "/used/status",
                        Client.MERGE,
                        "{\"status\":{\"allocation\":null,\"reservedFor\":null}}");
        assertThat(back.code()).as(back.text()).isEqualTo(200);
        assertThat(back.body().path("status").has("allocation")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"reservedFor\":[{\"resource\":\"pods\",\"name\":\"p\",\"uid\":\"1\"}]}"
                        + "| status.reservedFor: Forbidden: may not be specified when `allocated` is not set",
                "{\"allocation\":{\"devices\":{\"results\":[{\"request\":\"x\",\"driver\":\"d\",\"pool\":\"p\",\"device\":\"d\"}]}}}"
                        + "| status.allocation.devices.results[0].request: Invalid value: \"x\": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
                "{\"allocation\":{\"devices\":{\"results\":[{\"request\":\"r\",\"driver\":\"d\",\"device\":\"d\"}]}}}"
                        + "| status.allocation.devices.results[0].pool: Required value",
            })
    void wrongStatusIsExplained(String status, String message) {
        created(claims(), oneGpu("told"));
        assertFailure(
                client.patch(
                        claims() + "/told/status", Client.MERGE, "{\"status\":" + status + "}"),
                422,
                "Invalid",
                "ResourceClaim.resource.k8s.io \"told\" is invalid: " + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"driver\":\"d\",\"pool\":{\"name\":\"p\",\"resourceSliceCount\":1}}"
                        + "| spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required",
                "{\"driver\":\"d\",\"pool\":{\"name\":\"p\",\"resourceSliceCount\":0},\"allNodes\":true}"
                        + "| spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero",
                "{\"driver\":\"d\",\"pool\":{\"name\":\"p\",\"resourceSliceCount\":1},\"allNodes\":true,\"nodeName\":\"n\"}"
                        + "| spec: Invalid value: \"{`nodeName`, `allNodes`}\": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set",
                "{\"driver\":\"d\",\"pool\":{\"name\":\"p\",\"resourceSliceCount\":1},\"allNodes\":true,\"devices\":[{\"name\":\"a\"},{\"name\":\"a\"}]}"
                        + "| spec.devices[1]: Duplicate value: \"a\"",
                "{\"driver\":\"d\",\"pool\":{\"name\":\"p\",\"resourceSliceCount\":1},\"allNodes\":true,\"devices\":[{\"name\":\"a\",\"attributes\":{\"v\":{\"version\":\"one\"}}}]}"
                        + "| spec.devices[0].attributes[v].version: Invalid value: \"one\": must be a string compatible with semver.org spec 2.0.0",
                "{\"driver\":\"d\",\"pool\":{\"name\":\"p\",\"resourceSliceCount\":1},\"allNodes\":true,\"devices\":[{\"name\":\"a\",\"nodeName\":\"n\"}]}"
                        + "| spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec",
                "{\"driver\":\"d\",\"pool\":{\"name\":\"p\",\"resourceSliceCount\":1},\"allNodes\":true,\"devices\":[{\"name\":\"a\",\"capacity\":{\"m\":{\"value\":\"1Gi\",\"requestPolicy\":{\"default\":\"1Mi\"}}}}]}"
                        + "| spec.devices[0].capacity[m].requestPolicy: Forbidden: allowMultipleAllocations must be true",
                "{\"driver\":\"d\",\"pool\":{\"name\":\"p\",\"resourceSliceCount\":1},\"allNodes\":true,\"devices\":[{\"name\":\"a\",\"taints\":[{\"key\":\"k\",\"effect\":\"Run\"}]}]}"
                        + "| spec.devices[0].taints[0].effect: Unsupported value: \"Run\": supported values: \"NoExecute\", \"NoSchedule\", \"None\"",
                "{\"driver\":\"d\",\"pool\":{\"name\":\"p\",\"resourceSliceCount\":1},\"allNodes\":true,\"sharedCounters\":[{\"name\":\"c\"}]}"
                        + "| spec.sharedCounters[0].counters: Required value",
            })
    void wrongSlicesAreExplained(String spec, String message) {
        assertFailure(
                drySlice(spec),
                422,
                "Invalid",
                "ResourceSlice.resource.k8s.io \"s\" is invalid: " + message);
    }

    @Test
    void taintOfADeviceTellsSinceWhen() {
        Answer slice =
                drySlice(
                        "{\"driver\":\"d\",\"pool\":{\"name\":\"p\",\"resourceSliceCount\":1},"
                                + "\"allNodes\":true,\"devices\":[{\"name\":\"a\",\"taints\":"
                                + "[{\"key\":\"k\",\"effect\":\"NoSchedule\"}]}]}");
        assertThat(slice.code()).as(slice.text()).isEqualTo(201);
        assertThat(slice.at("/spec/devices/0/taints/0/timeAdded")).endsWith("Z");
    }

    @Test
    void wrongClassesAreExplained() {
        assertFailure(
                dryClass("{\"extendedResourceName\":\"gpu\"}"),
                422,
                "Invalid",
                "DeviceClass.resource.k8s.io \"c\" is invalid: spec.extendedResourceName: Invalid"
                        + " value: \"gpu\": must be a valid extended resource name");
        assertThat(dryClass("{\"extendedResourceName\":\"example.com/gpu\"}").code())
                .isEqualTo(201);
    }

    @Test
    void claimsAreListedWithTheirState() {
        created(claims(), oneGpu("waiting"));
        created(claims(), oneGpu("taken"));
        client.patch(claims() + "/taken/status", Client.MERGE, ALLOCATED);
        Answer table = client.get(claims(), TABLE);
        assertThat(table.body().path("columnDefinitions").valueStream())
                .extracting(column -> column.path("name").asText())
                .containsExactly("Name", "State", "Age");
        assertThat(table.body().path("rows").valueStream())
                .extracting(row -> row.at("/cells/0").asText() + " " + row.at("/cells/1").asText())
                .containsExactly("taken allocated,reserved", "waiting pending");
    }
}
