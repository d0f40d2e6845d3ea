package io.berth.controllers.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Jobs.
public abstract class JobSuite extends SuiteBase {
    private String jobs() {
        return path("batch", "jobs");
    }

    private static String spec(String spec, String play) {
        return """
        {%s"template":{"metadata":{"labels":{"app":"job"%s}},
          "spec":{"restartPolicy":"Never","terminationGracePeriodSeconds":1,
            "containers":[{"name":"c","image":"nginx"}]}}}\
        """
                .formatted(spec, play.isEmpty() ? "" : ",\"play\":\"" + play + "\"");
    }

    private static String job(String name, String spec, String play) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":" + spec(spec, play) + "}";
    }

    private boolean has(String path, String condition) {
        return client.get(path)
                .body()
                .at("/status/conditions")
                .valueStream()
                .anyMatch(each ->
                        each.path("type").asText().equals(condition)
                                && each.path("status").asText().equals("True"));
    }

    @Test
    void jobIsCompleteWhenEnoughPodsSucceeded() {
        created(jobs(), job("sum", "\"completions\":5,\"parallelism\":2,", ""));
        String path = jobs() + "/sum";
        until("it is complete", () -> has(path, "Complete"));
        var job = client.get(path);
        assertThat(job.at("/status/succeeded")).isEqualTo("5");
        assertThat(job.at("/status/completionTime")).isNotEmpty();
        assertThat(job.body().at("/status/uncountedTerminatedPods/succeeded").isEmpty()).isTrue();
        assertThat(items(pods())).hasSize(5);
        assertThat(items(pods())).allMatch(pod -> pod.at("/metadata/finalizers").isEmpty());
    }

    @Test
    void indexedPodsHaveNumbers() {
        created(
                jobs(),
                job(
                        "idx",
                        "\"completions\":4,\"parallelism\":4,\"completionMode\":\"Indexed\",",
                        ""));
        String path = jobs() + "/idx";
        until("it is complete", () -> has(path, "Complete"));
        assertThat(client.get(path).at("/status/completedIndexes")).isEqualTo("0-3");
        String index = "/metadata/annotations/batch.kubernetes.io~1job-completion-index";
        assertThat(items(pods()).stream().map(pod -> pod.at(index).asInt()))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 4).boxed().toList());
    }

    @Test
    void tooManyFailuresEndIt() {
        created(jobs(), job("bad", "\"backoffLimit\":0,", "fail"));
        String path = jobs() + "/bad";
        until("it has failed", () -> has(path, "Failed"));
        assertThat(client.get(path).text()).contains("BackoffLimitExceeded");
        assertThat(client.get(path).at("/status/failed")).isEqualTo("1");
    }

    @Test
    void timeLimitEndsIt() {
        created(jobs(), job("slow", "\"activeDeadlineSeconds\":1,", "last"));
        until("it has failed", () -> has(jobs() + "/slow", "Failed"));
        assertThat(client.get(jobs() + "/slow").text()).contains("DeadlineExceeded");
        until("its pod is gone", () -> podsOf("job").isEmpty());
    }

    @Test
    void suspendedJobHasNoPods() {
        created(jobs(), job("lazy", "\"suspend\":true,", ""));
        until("it is suspended", () -> has(jobs() + "/lazy", "Suspended"));
        assertThat(items(pods())).isEmpty();
        merged(jobs() + "/lazy", "{\"spec\":{\"suspend\":false}}");
        until("it is complete", () -> has(jobs() + "/lazy", "Complete"));
    }

    @Test
    void endedJobGoesInItsTime() {
        created(jobs(), job("brief", "\"ttlSecondsAfterFinished\":1,", ""));
        untilGone(jobs() + "/brief");
        until("its pod went too", () -> items(pods()).isEmpty());
    }

    /// One that somebody deleted is not done again.
    @Test
    void deletedPodThatHadSucceededStaysCounted() {
        created(jobs(), job("two", "\"completions\":2,\"parallelism\":1,", ""));
        until(
                "one is counted",
                () -> !client.get(jobs() + "/two").at("/status/succeeded").isEmpty());
        items(pods()).stream()
                .filter(pod -> pod.at("/status/phase").asText().equals("Succeeded"))
                .forEach(pod -> client.delete(pods() + "/" + pod.at("/metadata/name").asText()));
        until("it is complete", () -> has(jobs() + "/two", "Complete"));
        assertThat(client.get(jobs() + "/two").at("/status/succeeded")).isEqualTo("2");
    }

    @Test
    void deletedJobTakesItsRunningPodsAlong() {
        created(jobs(), job("gone", "", "last"));
        until("its pod runs", () -> podsOf("job").size() == 1);
        deleted(jobs() + "/gone", "Background");
        until("its pod is gone", () -> items(pods()).isEmpty());
    }
}
