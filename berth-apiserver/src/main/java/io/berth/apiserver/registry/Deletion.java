package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.store.Draft;
import io.berth.apiserver.store.Store;
import io.berth.apiserver.store.StoredObject;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;

/// Deletes objects: at once, after a grace period, or when the last finalizer is gone.
///
/// ```
/// live ──delete──► removed                        no finalizers, no grace
/// live ──delete──► deleting ──delete, grace 0──► removed     a pod that a kubelet must stop first
/// live ──delete──► deleting ──finalizers emptied──► removed
/// ```
final class Deletion {
    private final Store store;
    private final InstantSource clock;

    Deletion(Store store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /// What came of a deletion.
    ///
    /// @param object the last state
    /// @param removed false while the object waits for its grace period or finalizers
    /// @param pending true if it was being deleted already and nothing changed
    record Outcome(StoredObject object, boolean removed, boolean pending) {}

    /// One attempt; empty if the object changed meanwhile.
    Optional<Outcome> tryDelete(StoredObject current, DeleteOptions options) {
        ResourceType type = current.type();
        checkPreconditions(current, options);
        ObjectNode object = current.tree();
        boolean finalizersChanged = Propagation.setFinalizers(type, object, options);

        if (type.builtInKind().equals("Pod")) {
            Optional<Outcome> pending = pendingGrace(current, object, options);
            if (pending.isPresent()) {
                return pending;
            }
            if (markGraceful(object, options)) {
                return store(current, object, options).flatMap(o -> afterMark(o, object, options));
            }
        }
        if (Meta.hasFinalizers(object)) {
            if (!finalizersChanged && Meta.isDeleting(object) && graceIsOver(object)) {
                return Optional.of(new Outcome(current, false, false));
            }
            markDeleting(object);
            return store(current, object, options).map(o -> new Outcome(o, false, false));
        }
        if (options.dryRun()) {
            return Optional.of(new Outcome(current, true, false));
        }
        return store.delete(current).map(last -> new Outcome(last, true, false));
    }

    /// A pod is marked first even if it may vanish now, so that watchers see why it goes.
    private Optional<Outcome> afterMark(
            StoredObject marked, ObjectNode pod, DeleteOptions options) {
        if (Meta.hasFinalizers(pod) || !graceIsOver(pod)) {
            return Optional.of(new Outcome(marked, false, false));
        }
        return options.dryRun()
                ? Optional.of(new Outcome(marked, true, false))
                : store.delete(marked).map(last -> new Outcome(last, true, false));
    }

    private Optional<StoredObject> store(
            StoredObject current, ObjectNode object, DeleteOptions options) {
        Draft draft = Draft.of(current.type(), object);
        return options.dryRun()
                ? Optional.of(draft.at(current.revision()))
                : store.replace(current, draft);
    }

    private static void checkPreconditions(StoredObject current, DeleteOptions options) {
        String kind = current.type().kind();
        options.uid()
                .filter(uid -> !uid.equals(current.uid()))
                .ifPresent(uid -> {
                    throw ApiErrors.conflict(
                            current.type().group(),
                            kind,
                            current.name(),
                            "the UID in the precondition ("
                                    + uid
                                    + ") does not match the UID in record ("
                                    + current.uid()
                                    + "). The object might have been deleted and then recreated");
                });
        options.resourceVersion()
                .filter(version -> !version.equals(Long.toString(current.revision())))
                .ifPresent(version -> {
                    throw ApiErrors.conflict(
                            current.type().group(),
                            kind,
                            current.name(),
                            "the ResourceVersion in the precondition ("
                                    + version
                                    + ") does not match the ResourceVersion in record ("
                                    + current.revision()
                                    + "). The object might have been modified");
                });
    }

    /// A pod that is being deleted already: its grace period can only become shorter.
    private Optional<Outcome> pendingGrace(
            StoredObject current, ObjectNode pod, DeleteOptions options) {
        OptionalLong remaining = Meta.gracePeriodSeconds(pod);
        if (!Meta.isDeleting(pod) || remaining.isEmpty() || remaining.getAsLong() == 0) {
            return Optional.empty();
        }
        boolean shorter =
                options.gracePeriodSeconds().isPresent()
                        && positive(options.gracePeriodSeconds().getAsLong())
                                < remaining.getAsLong();
        return shorter ? Optional.empty() : Optional.of(new Outcome(current, false, true));
    }

    /// Starts or shortens the grace period of a pod; false if that period is over.
    private boolean markGraceful(ObjectNode pod, DeleteOptions options) {
        if (!Meta.isDeleting(pod)) {
            long period = gracePeriod(pod, options);
            setDeletion(pod, clock.instant().plusSeconds(period), period);
            Meta.bumpGenerationIfCounted(pod);
            return true;
        }
        long old = Meta.gracePeriodSeconds(pod).orElse(0);
        if (old == 0) {
            return false;
        }
        long period = positive(options.gracePeriodSeconds().orElse(0));
        Instant now = clock.instant();
        Instant end =
                Instant.parse(Meta.of(pod).path("deletionTimestamp").asText())
                        .minusSeconds(old)
                        .plusSeconds(period);
        if (end.isBefore(now)) {
            end = now;
            period = period == 0 ? 0 : 1;
        }
        setDeletion(pod, end, period);
        return true;
    }

    private static long gracePeriod(ObjectNode pod, DeleteOptions options) {
        boolean bound = !pod.path("spec").path("nodeName").asText("").isEmpty();
        String phase = pod.path("status").path("phase").asText("");
        if (!bound || phase.equals("Failed") || phase.equals("Succeeded")) {
            return 0;
        }
        long wanted =
                options.gracePeriodSeconds()
                        .orElse(pod.path("spec").path("terminationGracePeriodSeconds").asLong(0));
        return positive(wanted);
    }

    private static long positive(long seconds) {
        return seconds < 0 ? 1 : seconds;
    }

    private static boolean graceIsOver(ObjectNode object) {
        return Meta.gracePeriodSeconds(object).orElse(-1) == 0;
    }

    private void markDeleting(ObjectNode object) {
        if (!Meta.isDeleting(object)) {
            Meta.bumpGenerationIfCounted(object);
        }
        setDeletion(object, clock.instant(), 0);
    }

    /// A namespace stays, in a phase of its own, until its content is gone.
    void markNamespace(ObjectNode namespace) {
        Meta.of(namespace).put("deletionTimestamp", Meta.timestamp(clock.instant()));
        Json.ensure(namespace, "status").put("phase", "Terminating");
    }

    private static void setDeletion(ObjectNode object, Instant end, long periodSeconds) {
        ObjectNode metadata = Meta.of(object);
        metadata.put("deletionTimestamp", Meta.timestamp(end));
        metadata.put("deletionGracePeriodSeconds", periodSeconds);
    }
}
