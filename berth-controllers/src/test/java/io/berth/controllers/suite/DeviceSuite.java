package io.berth.controllers.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.apiserver.conformance.Client;
import org.junit.jupiter.api.Test;

/// Resource claims that are made for pods.
public abstract class DeviceSuite extends SuiteBase {
    private String claims() {
        return path("resource.k8s.io", "resourceclaims");
    }

    private void template() {
        created(
                path("resource.k8s.io", "resourceclaimtemplates"),
                """
                {"metadata":{"name":"two"},"spec":{"spec":{"devices":{"requests":[
                  {"name":"r","exactly":{"deviceClassName":"gpu.example.com","count":2}}]}}}}\
                """);
    }

    private static String podWithClaim(String name) {
        return pod(
                name,
                "\"resourceClaims\":[{\"name\":\"gpus\",\"resourceClaimTemplateName\":\"two\"}],");
    }

    @Test
    void podGetsAClaimOfItsTemplate() {
        template();
        created(pods(), podWithClaim("train"));
        until(
                "its status names the claim",
                () ->
                        !client.get(pods() + "/train")
                                .at("/status/resourceClaimStatuses/0/resourceClaimName")
                                .isEmpty());
        String name =
                client.get(pods() + "/train")
                        .at("/status/resourceClaimStatuses/0/resourceClaimName");
        var claim = client.get(claims() + "/" + name);
        assertThat(name).startsWith("train-gpus-");
        assertThat(claim.at("/spec/devices/requests/0/exactly/count")).isEqualTo("2");
        assertThat(claim.at("/metadata/ownerReferences/0/name")).isEqualTo("train");
        assertThat(claim.at("/metadata/annotations/resource.kubernetes.io~1pod-claim-name"))
                .isEqualTo("gpus");
        client.delete(pods() + "/train?gracePeriodSeconds=0");
        untilGone(claims() + "/" + name);
    }

    @Test
    void templateMayComeLater() {
        created(pods(), podWithClaim("early"));
        template();
        until("a claim is there", () -> items(claims()).size() == 1);
    }

    @Test
    void reservationOfAPodThatIsGoneIsTakenBack() {
        created(
                claims(),
                """
                {"metadata":{"name":"shared"},"spec":{"devices":{"requests":[
                  {"name":"r","exactly":{"deviceClassName":"gpu.example.com"}}]}}}\
                """);
        client.patch(
                claims() + "/shared/status",
                Client.MERGE,
                """
                {"status":{"allocation":{"devices":{"results":[{"request":"r",
                   "driver":"gpu.example.com","pool":"p","device":"d"}]}},
                  "reservedFor":[{"resource":"pods","name":"never-was","uid":"0-0"}]}}\
                """);
        until(
                "nobody has it",
                () ->
                        client.get(claims() + "/shared").body().at("/status/reservedFor").isEmpty()
                                && !client.get(claims() + "/shared")
                                        .body()
                                        .path("status")
                                        .has("allocation"));
    }
}
