package io.berth.controllers.job;

import static io.berth.controllers.client.Resource.JOBS;
import static io.berth.controllers.client.Resource.PODS;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.client.DeleteHow;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.Conditions;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Selector;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Adoption;
import io.berth.controllers.workload.Cluster;
import io.berth.controllers.workload.Notices;
import io.berth.controllers.workload.PodMaker;
import io.berth.controllers.workload.Ranking;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// Runs pods of a job until enough of them have succeeded, too many have failed, or time is over.
///
/// A pod carries a finalizer until it is counted, so that none is forgotten because somebody
/// deleted it: see [Tally].
public final class JobController implements Controller {
    private static final int WORKERS = 4;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    private final Cluster cluster;
    private final Informer<KubeObject> jobs;
    private final Adoption<PodFacts> adoption;
    private final PodMaker maker;
    private final Loop loop;

    public JobController(Cluster cluster) {
        this.cluster = cluster;
        this.jobs = cluster.of(JOBS);
        this.adoption = new Adoption<>(cluster, cluster.pods());
        this.maker = new PodMaker(cluster);
        this.loop = new Loop("jobs", WORKERS, cluster.timer(), this::reconcile);
        Notices.ofItself(jobs, loop);
        Notices.ofOwner(
                cluster.pods(), jobs, loop, job -> Selector.of(job.spec().path("selector")));
    }

    @Override
    public void start() {
        loop.start();
    }

    private void reconcile(String key) {
        KubeObject job = jobs.find(key).orElse(null);
        if (job == null) {
            freeOrphans(key);
            return;
        }
        try {
            List<PodFacts> pods =
                    adoption.claim(JOBS, job.meta(), Selector.of(job.spec().path("selector")));
            if (job.meta().isDeleting() || JobSpec.isFinished(job)) {
                end(job, pods);
            } else {
                advance(job, pods);
            }
        } catch (ApiFailure failure) {
            if (!failure.isNamespaceGoing()) {
                throw failure;
            }
        }
    }

    /// Pods whose job is gone wait for nobody's count.
    private void freeOrphans(String key) {
        String namespace = key.substring(0, Math.max(0, key.indexOf('/')));
        String name = key.substring(key.indexOf('/') + 1);
        for (PodFacts pod : cluster.pods().inNamespace(namespace)) {
            boolean its =
                    pod.meta()
                            .controller()
                            .filter(owner ->
                                    owner.kind().equals(JOBS.kind()) && owner.name().equals(name))
                            .isPresent();
            if (its) {
                cluster.removeFinalizer(PODS, pod.meta(), Tally.FINALIZER);
            }
        }
    }

    /// Nothing is made any more; what still runs is ended, and in its time the job goes too.
    private void end(KubeObject job, List<PodFacts> pods) {
        for (PodFacts pod : pods) {
            cluster.removeFinalizer(PODS, pod.meta(), Tally.FINALIZER);
        }
        maker.delete(pods.stream().filter(PodFacts::isActive).toList());
        if (!job.meta().isDeleting() && job.spec().has("ttlSecondsAfterFinished")) {
            Duration left = JobSpec.timeToLive(job, cluster.now());
            if (left.isPositive()) {
                loop.enqueueAfter(job.meta().key(), left);
            } else {
                cluster.delete(
                        JOBS,
                        job.meta(),
                        DeleteHow.exactly(job.meta().uid()).withPolicy("Foreground"));
            }
        }
    }

    private void advance(KubeObject job, List<PodFacts> pods) {
        Instant now = cluster.now();
        var tally = Tally.of(job, pods);
        ObjectNode object = job.copy();
        ObjectNode status = Trees.child(object, "status");
        boolean suspended = job.spec().path("suspend").asBoolean();
        if (!status.has("startTime") && !suspended) {
            status.put("startTime", Trees.time(now));
        }
        tally.write(status);
        List<PodFacts> active = pods.stream().filter(PodFacts::isActive).toList();
        status.put("active", active.size());
        status.put("ready", active.stream().filter(PodFacts::isReady).count());
        status.put(
                "terminating",
                pods.stream().filter(pod -> pod.meta().isDeleting() && !pod.isFinished()).count());
        suspension(status, suspended, now);
        Optional<JobSpec.Verdict> verdict = JobSpec.verdict(job, tally, now);
        verdict.ifPresent(each -> each.write(status, now, tally.isCounted()));
        KubeObject written = cluster.updateStatus(JOBS, job, object);
        // Once the count is written, the pods need not be kept for it any more.
        for (PodFacts pod : tally.written()) {
            cluster.removeFinalizer(PODS, pod.meta(), Tally.FINALIZER);
        }
        if (!tally.isCounted()) {
            loop.enqueue(job.meta().key());
        }
        if (verdict.isPresent() || suspended) {
            discard(active);
            return;
        }
        JobSpec.deadline(written, now).ifPresent(left -> loop.enqueueAfter(job.meta().key(), left));
        resize(job, tally, active, now);
    }

    /// Deletes pods that are not wanted any more, which is no failure of theirs.
    private void discard(List<PodFacts> pods) {
        for (PodFacts pod : pods) {
            cluster.removeFinalizer(PODS, pod.meta(), Tally.FINALIZER);
        }
        maker.delete(pods);
    }

    private static void suspension(ObjectNode status, boolean suspended, Instant now) {
        if (suspended) {
            Conditions.set(status, "Suspended", "True", "JobSuspended", "Job suspended", now);
            status.remove("startTime");
        } else if (Conditions.isTrue(status, "Suspended")) {
            Conditions.set(status, "Suspended", "False", "JobResumed", "Job resumed", now);
            status.put("startTime", Trees.time(now));
        }
    }

    private void resize(KubeObject job, Tally tally, List<PodFacts> active, Instant now) {
        int wanted = JobSpec.wanted(job, tally);
        if (active.size() > wanted) {
            discard(Ranking.firstToGo(active, active).subList(0, active.size() - wanted));
            return;
        }
        int missing = wanted - active.size();
        if (missing == 0) {
            return;
        }
        Duration pause = pause(tally, now);
        if (pause.isPositive()) {
            loop.enqueueAfter(job.meta().key(), pause);
            return;
        }
        maker.create(job.meta().namespace(), pods(job, tally, active, missing));
    }

    /// After a failure the next pod waits, longer after each.
    private static Duration pause(Tally tally, Instant now) {
        if (tally.recentFailures() == 0) {
            return Duration.ZERO;
        }
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(10, tally.recentFailures() - 1));
        pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        return Duration.between(now, tally.lastFailure().plus(pause));
    }

    private static List<ObjectNode> pods(
            KubeObject job, Tally tally, List<PodFacts> active, int missing) {
        if (!JobSpec.isIndexed(job)) {
            return IntStream.range(0, missing).mapToObj(_ -> JobPods.pod(job)).toList();
        }
        var taken = new TreeSet<>(tally.completed());
        active.forEach(pod -> taken.add(JobPods.index(pod)));
        var pods = new ArrayList<ObjectNode>();
        int completions = job.spec().path("completions").asInt(0);
        for (int index = 0; index < completions && pods.size() < missing; index++) {
            if (!taken.contains(index)) {
                pods.add(JobPods.indexed(job, index));
            }
        }
        return pods;
    }

    @Override
    public void close() {
        loop.close();
    }
}
