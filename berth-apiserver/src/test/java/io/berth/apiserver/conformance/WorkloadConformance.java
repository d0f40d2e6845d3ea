package io.berth.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Deployments, jobs and their kin, as those who work on them find them: scale, defaults, and what
/// deletion leaves for the garbage collector.
public abstract class WorkloadConformance extends ConformanceBase {
    private static final String TEMPLATE =
            """
            "template":{"metadata":{"labels":{"app":"web"}},
              "spec":{%s"containers":[{"name":"c","image":"nginx"}]}}\
            """;

    private String apps(String plural) {
        return "/apis/apps/v1/namespaces/" + namespace + "/" + plural;
    }

    private String batch(String plural) {
        return "/apis/batch/v1/namespaces/" + namespace + "/" + plural;
    }

    private static String workload(String name, int replicas) {
        return "{\"metadata\":{\"name\":\""
                + name
                + "\"},\"spec\":{\"replicas\":"
                + replicas
                + ",\"selector\":{\"matchLabels\":{\"app\":\"web\"}},"
                + TEMPLATE.formatted("")
                + "}}";
    }

    private static String job(String name, String spec) {
        return "{\"metadata\":{\"name\":\""
                + name
                + "\"},\"spec\":{"
                + spec
                + TEMPLATE.formatted("\"restartPolicy\":\"Never\",")
                + "}}";
    }

    @Test
    void scaleShowsWhatIsWantedAndHowPodsAreFound() {
        Answer made = created(apps("deployments"), workload("web", 3));
        Answer scale = client.get(apps("deployments") + "/web/scale");
        assertThat(scale.at("/kind")).isEqualTo("Scale");
        assertThat(scale.at("/apiVersion")).isEqualTo("autoscaling/v1");
        assertThat(scale.uid()).isEqualTo(made.uid());
        assertThat(scale.at("/spec/replicas")).isEqualTo("3");
        assertThat(scale.at("/status/replicas")).isEqualTo("0");
        assertThat(scale.at("/status/selector")).isEqualTo("app=web");
    }

    @Test
    void scaleIsSetByPatchAndByUpdate() {
        created(apps("replicasets"), workload("web", 3));
        String path = apps("replicasets") + "/web";
        Answer patched = client.patch(path + "/scale", Client.MERGE, "{\"spec\":{\"replicas\":5}}");
        assertThat(patched.code()).as(patched.text()).isEqualTo(200);
        assertThat(patched.at("/spec/replicas")).isEqualTo("5");
        assertThat(client.get(path).at("/spec/replicas")).isEqualTo("5");
        assertThat(client.get(path).at("/metadata/generation")).isEqualTo("2");
        Answer put =
                client.put(
                        path + "/scale", client.get(path + "/scale").text().replace(":5}", ":0}"));
        assertThat(put.code()).as(put.text()).isEqualTo(200);
        assertThat(put.body().path("spec").has("replicas")).isFalse();
        assertThat(client.get(path).at("/spec/replicas")).isEqualTo("0");
    }

    @Test
    void scaleOfAnOldVersionConflicts() {
        created(apps("statefulsets"), workload("web", 3));
        String path = apps("statefulsets") + "/web/scale";
        String stale = client.get(path).text();
        client.patch(path, Client.MERGE, "{\"spec\":{\"replicas\":4}}");
        Answer refused = client.put(path, stale);
        assertThat(refused.code()).as(refused.text()).isEqualTo(409);
        assertThat(refused.reason()).isEqualTo("Conflict");
    }

    @Test
    void negativeScaleIsInvalid() {
        created(apps("deployments"), workload("web", 3));
        Answer refused =
                client.patch(
                        apps("deployments") + "/web/scale",
                        Client.MERGE,
                        "{\"spec\":{\"replicas\":-1}}");
        assertThat(refused.code()).as(refused.text()).isEqualTo(422);
        assertThat(refused.message())
                .contains("spec.replicas")
                .contains("must be greater than or equal to 0");
    }

    @Test
    void jobSelectsItsPodsByItsOwnIdentity() {
        Answer job = created(batch("jobs"), job("sum", ""));
        String uid = "/spec/template/metadata/labels/";
        assertThat(job.at("/spec/completions")).isEqualTo("1");
        assertThat(job.at("/spec/parallelism")).isEqualTo("1");
        assertThat(job.at("/spec/backoffLimit")).isEqualTo("6");
        assertThat(job.at("/spec/completionMode")).isEqualTo("NonIndexed");
        assertThat(job.at("/spec/podReplacementPolicy")).isEqualTo("TerminatingOrFailed");
        assertThat(job.at("/spec/selector/matchLabels/batch.kubernetes.io~1controller-uid"))
                .isEqualTo(job.uid());
        for (String prefix : List.of("", "batch.kubernetes.io~1")) {
            assertThat(job.at(uid + prefix + "controller-uid")).isEqualTo(job.uid());
            assertThat(job.at(uid + prefix + "job-name")).isEqualTo("sum");
        }
    }

    @Test
    void jobWithManyWorkersHasNoNumberOfCompletions() {
        Answer job = created(batch("jobs"), job("work", "\"parallelism\":3,"));
        assertThat(job.body().path("spec").has("completions")).isFalse();
    }

    @Test
    void jobsTemplateDoesNotChange() {
        created(batch("jobs"), job("sum", ""));
        Answer refused =
                client.patch(
                        batch("jobs") + "/sum",
                        Client.STRATEGIC,
                        "{\"spec\":{\"template\":{\"spec\":{\"priorityClassName\":\"x\"}}}}");
        assertThat(refused.code()).as(refused.text()).isEqualTo(422);
        assertThat(refused.message()).contains("field is immutable");
    }

    @Test
    void jobsPodsMayEnd() {
        Answer refused =
                client.post(batch("jobs"), job("sum", "").replace("\"Never\"", "\"Always\""));
        assertThat(refused.code()).as(refused.text()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo(
                        "Job.batch \"sum\" is invalid: spec.template.spec.restartPolicy:"
                                + " Required value: valid values: \"OnFailure\", \"Never\"");
    }

    @Test
    void cronJobKeepsSomeOfItsJobs() {
        String body =
                "{\"metadata\":{\"name\":\"tick\"},\"spec\":{\"schedule\":\"*/5 * * * *\","
                        + "\"jobTemplate\":{\"spec\":{"
                        + TEMPLATE.formatted("\"restartPolicy\":\"OnFailure\",")
                        + "}}}}";
        Answer made = created(batch("cronjobs"), body);
        assertThat(made.at("/spec/concurrencyPolicy")).isEqualTo("Allow");
        assertThat(made.at("/spec/successfulJobsHistoryLimit")).isEqualTo("3");
        assertThat(made.at("/spec/failedJobsHistoryLimit")).isEqualTo("1");
        Answer refused =
                client.post(
                        batch("cronjobs"),
                        body.replace("tick", "tock").replace("*/5 * * * *", "now"));
        assertThat(refused.code()).as(refused.text()).isEqualTo(422);
        assertThat(refused.message()).contains("expected exactly 5 fields, found 1: [now]");
    }

    @Test
    void revisionsDataDoesNotChange() {
        String path = apps("controllerrevisions");
        created(path, "{\"metadata\":{\"name\":\"r\"},\"data\":{\"a\":1},\"revision\":1}");
        assertThat(client.get(path + "/r").at("/data/a")).isEqualTo("1");
        Answer newer = client.patch(path + "/r", Client.MERGE, "{\"revision\":2}");
        assertThat(newer.at("/revision")).isEqualTo("2");
        Answer refused = client.patch(path + "/r", Client.MERGE, "{\"data\":{\"a\":2}}");
        assertThat(refused.code()).as(refused.text()).isEqualTo(422);
    }

    /// The collector takes the finalizer away; until then the owner stays.
    @Test
    void propagationPoliciesAreFinalizers() {
        String path = apps("replicasets");
        for (String policy : List.of("Foreground", "Orphan", "Background")) {
            created(path, workload("web", 0));
            Answer deleted =
                    client.delete(path + "/web", "{\"propagationPolicy\":\"" + policy + "\"}");
            assertThat(deleted.code()).as(deleted.text()).isEqualTo(200);
            String finalizer = client.get(path + "/web").at("/metadata/finalizers/0");
            assertThat(finalizer)
                    .isEqualTo(
                            switch (policy) {
                                case "Foreground" -> "foregroundDeletion";
                                case "Orphan" -> "orphan";
                                default -> "";
                            });
            client.patch(path + "/web", Client.MERGE, "{\"metadata\":{\"finalizers\":null}}");
            assertThat(client.get(path + "/web").code()).isEqualTo(404);
        }
    }

    @Test
    void jobsLeaveTheirPodsUnlessTold() {
        created(batch("jobs"), job("sum", "\"suspend\":true,"));
        client.delete(batch("jobs") + "/sum");
        Answer left = client.get(batch("jobs") + "/sum");
        assertThat(left.at("/metadata/finalizers/0")).isEqualTo("orphan");
        client.patch(batch("jobs") + "/sum", Client.MERGE, "{\"metadata\":{\"finalizers\":null}}");
        assertThat(client.get(batch("jobs") + "/sum").code()).isEqualTo(404);
    }

    @Test
    void backgroundTakesBackAnEarlierPolicy() {
        String path = apps("deployments");
        created(path, workload("web", 0));
        client.delete(path + "/web", "{\"propagationPolicy\":\"Orphan\"}");
        client.delete(path + "/web", "{\"propagationPolicy\":\"Background\"}");
        assertThat(client.get(path + "/web").code()).isEqualTo(404);
    }
}
