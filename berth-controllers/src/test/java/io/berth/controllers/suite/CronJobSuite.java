package io.berth.controllers.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Cron jobs, by the clock on the wall: takes up to a minute.
public abstract class CronJobSuite extends SuiteBase {
    @Test
    void cronJobMakesAJobAtItsTime() {
        String crons = path("batch", "cronjobs");
        created(
                crons,
                """
                {"metadata":{"name":"tick"},"spec":{"schedule":"* * * * *","jobTemplate":{"spec":{
                  "template":{"spec":{"restartPolicy":"Never",
                    "containers":[{"name":"c","image":"nginx"}]}}}}}}\
                """);
        await().atMost(Duration.ofSeconds(100))
                .until(() -> !items(path("batch", "jobs")).isEmpty());
        var job = items(path("batch", "jobs")).getFirst();
        assertThat(job.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("CronJob");
        assertThat(job.at("/metadata/name").asText()).startsWith("tick-");
        until(
                "the time is told",
                () -> !client.get(crons + "/tick").at("/status/lastScheduleTime").isEmpty());
    }
}
