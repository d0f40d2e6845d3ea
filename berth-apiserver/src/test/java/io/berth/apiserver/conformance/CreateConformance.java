package io.berth.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Creating objects.
public abstract class CreateConformance extends ConformanceBase {
    @Test
    void newObjectHasAnIdentityAndDefaults() {
        Answer pod = created(pods(), pod("a"));
        assertThat(pod.uid()).hasSize(36);
        assertThat(pod.version()).matches("[1-9][0-9]*");
        assertThat(pod.at("/metadata/creationTimestamp"))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        assertThat(pod.at("/metadata/namespace")).isEqualTo(namespace);
        assertThat(pod.at("/metadata/generation")).isEqualTo("1");
        assertThat(pod.at("/spec/schedulerName")).isEqualTo("default-scheduler");
        assertThat(pod.at("/spec/priority")).isEqualTo("0");
        assertThat(pod.at("/status/phase")).isEqualTo("Pending");
        assertThat(pod.at("/status/qosClass")).isEqualTo("BestEffort");
    }

    @Test
    void statusAndIdentityOfTheClientAreIgnored() {
        Answer pod =
                created(
                        pods(),
                        "{\"metadata\":{\"name\":\"a\",\"uid\":\"mine\"},\"spec\":{\"containers\":"
                                + "[{\"name\":\"c\",\"image\":\"i\"}]},"
                                + "\"status\":{\"phase\":\"Running\"}}");
        assertThat(pod.uid()).isNotEqualTo("mine");
        assertThat(pod.at("/status/phase")).isEqualTo("Pending");
    }

    @Test
    void nameIsGeneratedFromAPrefix() {
        Answer pod = created(configMaps(), "{\"metadata\":{\"generateName\":\"x-\"}}");
        assertThat(pod.name()).matches("x-[bcdfghjklmnpqrstvwxz2456789]{5}");
        assertThat(pod.at("/metadata/generateName")).isEqualTo("x-");
    }

    @Test
    void secondObjectOfANameIsRefused() {
        created(pods(), pod("a"));
        Answer again = client.post(pods(), pod("a"));
        assertFailure(again, 409, "AlreadyExists", "pods \"a\" already exists");
        assertThat(again.at("/details/name")).isEqualTo("a");
        assertThat(again.at("/details/kind")).isEqualTo("pods");
    }

    @Test
    void dryRunStoresNothing() {
        Answer dry = created(pods() + "?dryRun=All", pod("a"));
        assertThat(dry.uid()).isNotEmpty();
        assertThat(dry.version()).isEmpty();
        assertThat(client.get(pods() + "/a").code()).isEqualTo(404);
    }

    @Test
    void namespaceMustExist() {
        assertFailure(
                client.post("/api/v1/namespaces/no-such/pods", pod("a")),
                404,
                "NotFound",
                "namespaces \"no-such\" not found");
    }

    @Test
    void namespaceOfBodyAndUrlMustAgree() {
        assertFailure(
                client.post(pods(), "{\"metadata\":{\"name\":\"a\",\"namespace\":\"other\"}}"),
                400,
                "BadRequest",
                "the namespace of the provided object does not match the namespace sent on the"
                        + " request");
    }

    @Test
    void nameIsNeeded() {
        assertFailure(
                client.post(configMaps(), "{}"),
                422,
                "Invalid",
                "ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is"
                        + " required");
    }

    @Test
    void podWithoutContainersIsInvalid() {
        Answer answer = client.post(pods(), "{\"metadata\":{\"name\":\"a\"},\"spec\":{}}");
        assertFailure(
                answer, 422, "Invalid", "Pod \"a\" is invalid: spec.containers: Required value");
        assertThat(answer.at("/details/causes/0/reason")).isEqualTo("FieldValueRequired");
        assertThat(answer.at("/details/causes/0/field")).isEqualTo("spec.containers");
    }

    @Test
    void unknownFieldIsAWarningOrAnErrorAsTheClientWishes() {
        String body = "{\"metadata\":{\"name\":\"a\"},\"foo\":1}";
        assertThat(created(configMaps() + "?dryRun=All", body).warnings())
                .containsExactly("299 - \"unknown field \\\"foo\\\"\"");
        assertThat(created(configMaps() + "?dryRun=All&fieldValidation=Ignore", body).warnings())
                .isEmpty();
        assertFailure(
                client.post(configMaps() + "?fieldValidation=Strict", body),
                400,
                "BadRequest",
                "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding"
                        + " error: unknown field \"foo\"");
    }

    @Test
    void fieldThatComesTwiceIsAnErrorWhenStrict() {
        assertFailure(
                client.post(
                        configMaps() + "?fieldValidation=Strict",
                        "{\"metadata\":{\"name\":\"a\",\"name\":\"b\"}}"),
                400,
                "BadRequest",
                "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding"
                        + " error: duplicate field \"metadata.name\"");
    }

    @Test
    void yamlIsUnderstood() {
        Answer answer =
                client.send(
                        "POST",
                        configMaps(),
                        "metadata:\n  name: yaml\ndata:\n  when: \"2026-01-01\"\n",
                        Map.of("Content-Type", "application/yaml"));
        assertThat(answer.code()).as(answer.text()).isEqualTo(201);
        assertThat(answer.at("/data/when")).isEqualTo("2026-01-01");
    }

    @Test
    void yamlHasTheTruthsOfItsFirstVersion() {
        Answer answer =
                client.send(
                        "POST",
                        configMaps(),
                        "metadata:\n  name: y\n",
                        Map.of("Content-Type", "application/yaml"));
        assertFailure(
                answer,
                400,
                "BadRequest",
                "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot"
                        + " unmarshal bool into Go struct field ObjectMeta.metadata.name of type"
                        + " string");
    }

    @Test
    void priorityComesFromTheClass() {
        assertFailure(
                client.post(pods(), pod("a", "\"priorityClassName\":\"no-such\",")),
                403,
                "Forbidden",
                "pods \"a\" is forbidden: no PriorityClass with name no-such was found");
        Answer pod =
                created(pods(), pod("b", "\"priorityClassName\":\"system-cluster-critical\","));
        assertThat(pod.at("/spec/priority")).isEqualTo("2000000000");
    }

    @Test
    @Tag("H-16")
    void keysOfAffinityTermsBecomePartOfTheSelector() {
        Answer pod =
                created(
                        pods(),
                        pod(
                                "a",
                                """
                                "affinity":{"podAntiAffinity":{
                                  "requiredDuringSchedulingIgnoredDuringExecution":[{
                                    "topologyKey":"kubernetes.io/hostname",
                                    "labelSelector":{"matchLabels":{"x":"y"}},
                                    "matchLabelKeys":["app"],
                                    "mismatchLabelKeys":["tenant"]}]}},
                                """));
        String term =
                "/spec/affinity/podAntiAffinity"
                        + "/requiredDuringSchedulingIgnoredDuringExecution/0/labelSelector";
        assertThat(pod.at(term + "/matchLabels/x")).isEqualTo("y");
        assertThat(pod.at(term + "/matchExpressions/0/key")).isEqualTo("app");
        assertThat(pod.at(term + "/matchExpressions/0/operator")).isEqualTo("In");
        assertThat(pod.at(term + "/matchExpressions/0/values/0")).isEqualTo("web");
        // The pod has no tenant, so nothing is said about it.
        assertThat(pod.at(term + "/matchExpressions/1/key")).isEmpty();
    }

    @Test
    @Tag("SG-3")
    void gatedPodSaysSo() {
        Answer pod = created(pods(), pod("a", "\"schedulingGates\":[{\"name\":\"ex.io/g\"}],"));
        assertThat(pod.at("/status/conditions/0/type")).isEqualTo("PodScheduled");
        assertThat(pod.at("/status/conditions/0/status")).isEqualTo("False");
        assertThat(pod.at("/status/conditions/0/reason")).isEqualTo("SchedulingGated");
    }
}
