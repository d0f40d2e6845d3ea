package io.berth.controllers.cronjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.apiserver.EmbeddedApiServer;
import io.berth.apiserver.conformance.Answer;
import io.berth.apiserver.conformance.ApiUnderTest;
import io.berth.apiserver.conformance.Client;
import io.berth.controllers.client.ApiEndpoint;
import io.berth.controllers.client.KubeClient;
import io.berth.controllers.informer.Informers;
import io.berth.controllers.loop.Timer;
import io.berth.controllers.workload.Cluster;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Cron jobs by a hand clock, on the embedded API server.
final class CronJobControllerTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String CRONS = "/apis/batch/v1/namespaces/default/cronjobs";
    private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final EmbeddedApiServer server =
            EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT);
    private final Client client =
            new Client(
                    new ApiUnderTest(server.uri(), server.clientTls(), ""),
                    HttpClient.Version.HTTP_2);
    private final KubeClient kube =
            new KubeClient(new ApiEndpoint(server.uri(), server.clientTls(), ""));
    private final Informers informers = new Informers(kube);
    private final Timer timer = new Timer();
    private final InstantSource clock = now::get;
    private final CronJobController controller =
            new CronJobController(new Cluster(kube, informers, timer, clock));

    @BeforeEach
    void start() throws InterruptedException {
        informers.start();
        assertThat(informers.awaitSync(PATIENCE)).isTrue();
        controller.start();
    }

    @AfterEach
    void stop() {
        controller.close();
        informers.close();
        timer.close();
        kube.close();
        server.close();
    }

    private void create(String spec) {
        Answer made =
                client.post(
                        CRONS,
                        """
                        {"metadata":{"name":"tick"},"spec":{"schedule":"0 * * * *",%s"jobTemplate":{
                          "spec":{"template":{"spec":{"restartPolicy":"Never",
                            "containers":[{"name":"c","image":"nginx"}]}}}}}}\
                        """
                                .formatted(spec));
        assertThat(made.code()).as(made.text()).isEqualTo(201);
    }

    /// Time passes; a touch has the controller look.
    private void pass(Duration time) {
        now.updateAndGet(before -> before.plus(time));
        client.patch(
                CRONS + "/tick",
                Client.MERGE,
                "{\"metadata\":{\"annotations\":{\"now\":\"" + now.get() + "\"}}}");
    }

    private int jobs() {
        return client.get(JOBS).body().path("items").size();
    }

    private void untilJobs(int count) {
        await().atMost(PATIENCE).until(() -> jobs() == count);
    }

    @Test
    void everyHourHasItsJobAndMissedHoursHaveOne() {
        create("");
        pass(Duration.ofHours(1));
        untilJobs(1);
        pass(Duration.ofHours(1));
        untilJobs(2);
        pass(Duration.ofHours(5));
        untilJobs(3);
    }

    @Test
    void jobBesideAJobIsForbiddenOrReplacesIt() {
        create("\"concurrencyPolicy\":\"Replace\",");
        pass(Duration.ofHours(1));
        untilJobs(1);
        String first = client.get(JOBS).at("/items/0/metadata/name");
        pass(Duration.ofHours(1));
        await().atMost(PATIENCE)
                .until(() ->
                        jobs() == 1
                                && !client.get(JOBS).at("/items/0/metadata/name").equals(first));
    }

    @Test
    void oldJobsAreForgotten() {
        create("\"successfulJobsHistoryLimit\":1,");
        for (int i = 0; i < 3; i++) {
            pass(Duration.ofHours(1));
            await().atMost(PATIENCE).until(() -> active() == 1);
            client.get(JOBS)
                    .body()
                    .path("items")
                    .forEach(job -> complete(job.at("/metadata/name").asText()));
            await().atMost(PATIENCE).until(() -> active() == 0);
        }
        untilJobs(1);
    }

    private long active() {
        return client.get(CRONS + "/tick").body().at("/status/active").size();
    }

    private void complete(String job) {
        client.patch(
                JOBS + "/" + job + "/status",
                Client.MERGE,
                "{\"status\":{\"conditions\":[{\"type\":\"Complete\",\"status\":\"True\"}]}}");
    }
}
