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

    /// One that a pod used which is not there.
    private String reservedClaim(String finalizers) {
        created(
                claims(),
                """
                {"metadata":{"name":"shared","finalizers":[%s]},"spec":{"devices":{"requests":[
                  {"name":"r","exactly":{"deviceClassName":"gpu.example.com"}}]}}}\
                """
                        .formatted(finalizers));
        client.patch(
                claims() + "/shared/status",
                Client.MERGE,
                """
                {"status":{"allocation":{"devices":{"results":[{"request":"r",
                   "driver":"gpu.example.com","pool":"p","device":"d"}]}},
                  "reservedFor":[{"resource":"pods","name":"never-was","uid":"0-0"}]}}\
                """);
        return claims() + "/shared";
    }

    private void untilNobodyHasIt(String claim) {
        until("nobody has it", () -> client.get(claim).body().at("/status/reservedFor").isEmpty());
    }

    @Test
    void reservationOfAPodThatIsGoneIsTakenBackWithTheDevices() {
        String claim = reservedClaim("\"resource.kubernetes.io/delete-protection\"");
        untilNobodyHasIt(claim);
        until(
                "its devices are free, and it may be deleted",
                () ->
                        !client.get(claim).body().path("status").has("allocation")
                                && client.get(claim).body().at("/metadata/finalizers").isEmpty());
    }

    /// The scheduler protects what it allocates; somebody else's is left alone.
    @Test
    void allocationThatIsNotTheSchedulersStays() {
        String claim = reservedClaim("");
        untilNobodyHasIt(claim);
        assertThat(client.get(claim).body().path("status").has("allocation")).isTrue();
    }

    @Test
    void claimThatIsProtectedBeforeItsAllocationStaysSo() {
        created(
                claims(),
                """
                {"metadata":{"name":"soon","finalizers":["resource.kubernetes.io/delete-protection"]},
                 "spec":{"devices":{"requests":[
                  {"name":"r","exactly":{"deviceClassName":"gpu.example.com"}}]}}}\
                """);
        // The next claim is seen after the first.
        untilNobodyHasIt(reservedClaim(""));
        assertThat(client.get(claims() + "/soon").body().at("/metadata/finalizers")).hasSize(1);
        client.delete(claims() + "/soon");
        untilGone(claims() + "/soon");
    }
}
