package io.berth.controllers.cronjob;

import static io.berth.controllers.client.Resource.CRON_JOBS;
import static io.berth.controllers.client.Resource.JOBS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.Conditions;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Owner;
import io.berth.controllers.object.Selector;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Cluster;
import io.berth.controllers.workload.Notices;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Makes a job at each time of a schedule, and forgets old ones.
public final class CronJobController implements Controller {
    private static final int WORKERS = 2;
    private static final Duration A_MOMENT = Duration.ofMillis(100);

    private final Cluster cluster;
    private final Informer<KubeObject> crons;
    private final Loop loop;

    public CronJobController(Cluster cluster) {
        this.cluster = cluster;
        this.crons = cluster.of(CRON_JOBS);
        this.loop = new Loop("cronjobs", WORKERS, cluster.timer(), this::reconcile);
        Notices.ofItself(crons, loop);
        // Jobs that nobody owns are never taken in.
        Notices.ofOwner(
                cluster.of(JOBS),
                crons,
                loop,
                _ -> new Selector(List.of(new Selector.Requirement("", "In", List.of()))));
    }

    @Override
    public void start() {
        loop.start();
    }

    private void reconcile(String key) {
        KubeObject cron = crons.find(key).orElse(null);
        if (cron == null || cron.meta().isDeleting()) {
            return;
        }
        try {
            List<KubeObject> jobs =
                    cluster.of(JOBS).ownedBy(cron.meta().uid()).stream()
                            .filter(job -> job.meta().isControlledBy(cron.meta()))
                            .toList();
            forget(cron, jobs);
            ObjectNode object = cron.copy();
            ObjectNode status = Trees.child(object, "status");
            if (!cron.spec().path("suspend").asBoolean()) {
                schedule(cron, jobs, status);
            }
            report(cron, status);
            KubeObject _ = cluster.updateStatus(CRON_JOBS, cron, object);
        } catch (ApiFailure failure) {
            if (!failure.isNamespaceGoing()) {
                throw failure;
            }
        }
    }

    private void schedule(KubeObject cron, List<KubeObject> jobs, ObjectNode status) {
        ZonedDateTime now;
        Schedule schedule;
        try {
            ZoneId zone = ZoneId.of(cron.spec().path("timeZone").asText("UTC"));
            now = cluster.now().atZone(zone);
            schedule = Schedule.parse(cron.spec().path("schedule").asText(), zone);
        } catch (IllegalArgumentException | DateTimeException wrong) {
            cluster.tell(
                    CRON_JOBS,
                    cron.meta(),
                    "Warning",
                    "InvalidSchedule",
                    String.valueOf(wrong.getMessage()));
            return;
        }
        due(cron, schedule, now).ifPresent(time -> begin(cron, jobs, time.toInstant(), status));
        schedule.after(now)
                .map(next -> Duration.between(now, next).plus(A_MOMENT))
                .ifPresent(delay -> loop.enqueueAfter(cron.meta().key(), delay));
    }

    /// The time for which a job is to be made now, unless it is too late for it.
    private static Optional<ZonedDateTime> due(
            KubeObject cron, Schedule schedule, ZonedDateTime now) {
        Instant from =
                Trees.instant(cron.status().path("lastScheduleTime")).orElse(cron.meta().created());
        JsonNode late = cron.spec().path("startingDeadlineSeconds");
        return schedule.last(from.atZone(now.getZone()), now)
                .filter(time -> time.toInstant().isAfter(from))
                .filter(time -> !late.isNumber() || !time.plusSeconds(late.asLong()).isBefore(now));
    }

    private void begin(KubeObject cron, List<KubeObject> jobs, Instant time, ObjectNode status) {
        List<KubeObject> active = jobs.stream().filter(job -> !isFinished(job)).toList();
        switch (cron.spec().path("concurrencyPolicy").asText()) {
            case "Forbid" -> {
                if (!active.isEmpty()) {
                    return;
                }
            }
            case "Replace" -> active.forEach(job -> cluster.delete(JOBS, job.meta()));
            default -> {
                // Others may run beside it.
            }
        }
        try {
            KubeObject _ = cluster.create(JOBS, cron.meta().namespace(), job(cron, time));
        } catch (ApiFailure failure) {
            // A job is named by its time, so that one time has one job.
            if (!failure.isAlreadyThere()) {
                throw failure;
            }
        }
        status.put("lastScheduleTime", Trees.time(time));
    }

    private static ObjectNode job(KubeObject cron, Instant time) {
        JsonNode template = cron.spec().path("jobTemplate");
        ObjectNode job = Trees.object();
        ObjectNode metadata = job.putObject("metadata");
        for (String field : List.of("labels", "annotations")) {
            if (template.path("metadata").has(field)) {
                metadata.set(field, template.path("metadata").get(field).deepCopy());
            }
        }
        metadata.put("name", cron.meta().name() + "-" + time.getEpochSecond() / 60);
        Trees.child(metadata, "annotations")
                .put("batch.kubernetes.io/cronjob-scheduled-timestamp", Trees.time(time));
        metadata.putArray("ownerReferences").add(Owner.managing(CRON_JOBS, cron.meta()).tree());
        job.set("spec", template.path("spec").deepCopy());
        return job;
    }

    private static boolean isFinished(KubeObject job) {
        return Conditions.isTrue(job.status(), "Complete")
                || Conditions.isTrue(job.status(), "Failed");
    }

    private void report(KubeObject cron, ObjectNode status) {
        ArrayNode active = Trees.object().arrayNode();
        cluster.of(JOBS).ownedBy(cron.meta().uid()).stream()
                .filter(job -> !isFinished(job))
                .sorted(Comparator.comparing(job -> job.meta().name()))
                .forEach(job ->
                        active.addObject()
                                .put("kind", JOBS.kind())
                                .put("apiVersion", JOBS.apiVersion())
                                .put("namespace", job.meta().namespace())
                                .put("name", job.meta().name())
                                .put("uid", job.meta().uid()));
        if (active.isEmpty()) {
            status.remove("active");
        } else {
            status.set("active", active);
        }
        cluster.of(JOBS).ownedBy(cron.meta().uid()).stream()
                .filter(job -> Conditions.isTrue(job.status(), "Complete"))
                .flatMap(job -> Trees.instant(job.status().path("completionTime")).stream())
                .max(Comparator.naturalOrder())
                .ifPresent(time -> status.put("lastSuccessfulTime", Trees.time(time)));
    }

    private void forget(KubeObject cron, List<KubeObject> jobs) {
        trim(jobs, "Complete", cron.spec().path("successfulJobsHistoryLimit").asInt(3));
        trim(jobs, "Failed", cron.spec().path("failedJobsHistoryLimit").asInt(1));
    }

    private void trim(List<KubeObject> jobs, String condition, int limit) {
        List<KubeObject> done =
                jobs.stream()
                        .filter(job -> Conditions.isTrue(job.status(), condition))
                        .filter(job -> !job.meta().isDeleting())
                        .sorted(Comparator.comparing(job -> job.meta().created()))
                        .toList();
        done.subList(0, Math.max(0, done.size() - limit))
                .forEach(job -> cluster.delete(JOBS, job.meta()));
    }

    @Override
    public void close() {
        loop.close();
    }
}
