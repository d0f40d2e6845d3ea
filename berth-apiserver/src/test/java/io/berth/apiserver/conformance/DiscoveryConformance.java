package io.berth.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/// What clients ask before they act.
public abstract class DiscoveryConformance extends ConformanceBase {
    private static JsonNode named(JsonNode list, String field, String value) {
        return StreamSupport.stream(list.spliterator(), false)
                .filter(n -> n.path(field).asText().equals(value))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + value + " in " + list));
    }

    @Test
    void versionIsThatOfTheRelease() {
        Answer version = client.get("/version");
        assertThat(version.at("/major")).isEqualTo("1");
        assertThat(version.at("/minor")).isEqualTo("36");
    }

    @Test
    void resourcesAreListed() {
        Answer core = client.get("/api/v1");
        assertThat(core.at("/kind")).isEqualTo("APIResourceList");
        JsonNode pods = named(core.body().path("resources"), "name", "pods");
        assertThat(pods.path("namespaced").asBoolean()).isTrue();
        assertThat(pods.path("shortNames").get(0).asText()).isEqualTo("po");
        JsonNode binding = named(core.body().path("resources"), "name", "pods/binding");
        assertThat(binding.path("kind").asText()).isEqualTo("Binding");
        JsonNode eviction = named(core.body().path("resources"), "name", "pods/eviction");
        assertThat(eviction.path("group").asText()).isEqualTo("policy");
    }

    @Test
    void groupsAreListed() {
        Answer groups = client.get("/apis");
        assertThat(groups.at("/kind")).isEqualTo("APIGroupList");
        JsonNode apps = named(groups.body().path("groups"), "name", "apps");
        assertThat(apps.at("/preferredVersion/groupVersion").asText()).isEqualTo("apps/v1");
        assertThat(client.get("/apis/apps").at("/kind")).isEqualTo("APIGroup");
    }

    @Test
    void everythingAtOnceIsListed() {
        Answer all =
                client.get(
                        "/apis",
                        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
        assertThat(all.at("/kind")).isEqualTo("APIGroupDiscoveryList");
        JsonNode apps =
                StreamSupport.stream(all.body().path("items").spliterator(), false)
                        .filter(n -> n.at("/metadata/name").asText().equals("apps"))
                        .findFirst()
                        .orElseThrow();
        assertThat(apps.at("/versions/0/version").asText()).isEqualTo("v1");
    }

    @Test
    void healthIsTold() {
        assertThat(client.get("/healthz").text()).isEqualTo("ok");
        assertThat(client.get("/livez").text()).isEqualTo("ok");
        assertThat(client.get("/readyz").text()).isEqualTo("ok");
        assertThat(client.get("/readyz?verbose").text()).contains("[+]ping ok");
    }

    @Test
    void callerCanAskWhoItIsAndWhatItMay() {
        Answer self = client.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}");
        assertThat(self.code()).as(self.text()).isEqualTo(201);
        assertThat(self.at("/status/userInfo/username")).isNotEmpty();
        Answer may =
                client.post(
                        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                        "{\"spec\":{\"resourceAttributes\":{\"verb\":\"create\",\"resource\":\"pods\"}}}");
        assertThat(may.at("/status/allowed")).isEqualTo("true");
        Answer token =
                client.post(
                        "/apis/authentication.k8s.io/v1/tokenreviews",
                        "{\"spec\":{\"token\":\"nonsense\"}}");
        assertThat(token.code()).isEqualTo(201);
        assertThat(token.body().at("/status/authenticated").asBoolean()).isFalse();
    }
}
