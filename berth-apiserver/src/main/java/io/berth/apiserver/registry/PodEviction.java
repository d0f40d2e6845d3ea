package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.registry.Registry.Target;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.selector.LabelSelector;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.status.ApiException;
import io.berth.apiserver.status.Status;
import io.berth.apiserver.status.Status.Cause;
import io.berth.apiserver.store.ObjectPath;
import io.berth.apiserver.store.StoredObject;
import java.time.InstantSource;
import java.util.List;

/// Deletes a pod if its disruption budget allows it.
public final class PodEviction {
    private static final ResourceType PODS = PodBinding.PODS;
    private static final ResourceType BUDGETS =
            ResourceTable.find("policy", "v1", "poddisruptionbudgets").orElseThrow();
    private static final String VIOLATION =
            "Cannot evict pod as it would violate the pod's disruption budget.";

    private final Registry registry;
    private final InstantSource clock;

    public PodEviction(Registry registry, InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
    }

    public void evict(String namespace, String name, DeleteOptions options) {
        StoredObject stored = registry.get(PODS, namespace, name);
        ObjectNode pod = stored.tree();
        if (!ignoresBudgets(pod)) {
            List<StoredObject> budgets = budgets(stored);
            if (budgets.size() > 1) {
                throw new ApiException(
                        Status.failure(
                                500,
                                "",
                                "This pod has more than one PodDisruptionBudget, which the"
                                        + " eviction subresource does not support."));
            }
            if (!budgets.isEmpty()) {
                spend(budgets.getFirst(), pod, options);
            }
        }
        markAndDelete(namespace, name, options);
    }

    /// A pod that does not run, or is going anyway, disrupts nobody.
    private static boolean ignoresBudgets(ObjectNode pod) {
        String phase = Json.text(pod, "status.phase");
        return phase.equals("Succeeded")
                || phase.equals("Failed")
                || phase.equals("Pending")
                || Meta.isDeleting(pod);
    }

    private List<StoredObject> budgets(StoredObject pod) {
        return registry.store().list(BUDGETS, ObjectPath.prefix(pod.namespace())).objects().stream()
                .filter(b -> selects(b.tree().path("spec").path("selector"), pod))
                .toList();
    }

    private static boolean selects(JsonNode selector, StoredObject pod) {
        if (selector.isMissingNode()) {
            return false;
        }
        try {
            return LabelSelector.of(selector).matches(pod.labels());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void spend(StoredObject budget, ObjectNode pod, DeleteOptions options) {
        ObjectNode tree = budget.tree();
        if (!PodConditions.isReady(pod)) {
            long healthy = tree.path("status").path("currentHealthy").asLong(0);
            long desired = tree.path("status").path("desiredHealthy").asLong(0);
            boolean always =
                    Json.text(tree, "spec.unhealthyPodEvictionPolicy").equals("AlwaysAllow");
            if (always || (healthy >= desired && desired > 0)) {
                return;
            }
        }
        registry.update(
                new Target(BUDGETS, budget.namespace(), budget.name(), "status"),
                current -> spendOne(current, Meta.name(pod)),
                WriteOptions.internal().dryRun(options.dryRun()));
    }

    private ObjectNode spendOne(ObjectNode budget, String podName) {
        ObjectNode status = Json.ensure(budget, "status");
        String name = Meta.name(budget);
        long observed = status.path("observedGeneration").asLong(0);
        if (observed < budget.path("metadata").path("generation").asLong(0)) {
            throw refusal(
                    10,
                    "The disruption budget " + name + " is still being processed by the server.");
        }
        long allowed = status.path("disruptionsAllowed").asLong(0);
        if (allowed < 0) {
            throw ApiErrors.forbidden(
                    "policy",
                    "poddisruptionbudget",
                    name,
                    "pdb disruptions allowed is negative",
                    List.of());
        }
        if (allowed == 0) {
            throw refusal(0, reason(name, status));
        }
        status.put("disruptionsAllowed", allowed - 1);
        Json.ensure(status, "disruptedPods").put(podName, Meta.timestamp(clock.instant()));
        return budget;
    }

    private static String reason(String name, ObjectNode status) {
        long desired = status.path("desiredHealthy").asLong(0);
        long healthy = status.path("currentHealthy").asLong(0);
        return healthy <= desired
                ? "The disruption budget "
                        + name
                        + " needs "
                        + desired
                        + " healthy pods and has "
                        + healthy
                        + " currently"
                : "The disruption budget " + name + " does not allow evicting pods currently";
    }

    private static RuntimeException refusal(int retryAfterSeconds, String why) {
        return ApiErrors.tooManyRequests(
                VIOLATION, retryAfterSeconds, List.of(new Cause("DisruptionBudget", why, "")));
    }

    private void markAndDelete(String namespace, String name, DeleteOptions options) {
        DeleteOptions effective = options;
        if (!options.dryRun()) {
            StoredObject marked =
                    registry.update(
                                    new Target(PODS, namespace, name, "status"),
                                    pod -> mark(pod, options),
                                    WriteOptions.internal())
                            .object();
            if (options.resourceVersion().isPresent()) {
                effective = options.withResourceVersion(Long.toString(marked.revision()));
            }
        }
        var _ = registry.delete(PODS, namespace, name, effective);
    }

    private ObjectNode mark(ObjectNode pod, DeleteOptions options) {
        options.uid()
                .filter(uid -> !uid.equals(Meta.uid(pod)))
                .ifPresent(uid -> {
                    throw mismatch(pod, "UID", uid, Meta.uid(pod), "deleted and then recreated");
                });
        options.resourceVersion()
                .filter(version -> !version.equals(Meta.resourceVersion(pod)))
                .ifPresent(version -> {
                    throw mismatch(
                            pod, "ResourceVersion", version, Meta.resourceVersion(pod), "modified");
                });
        PodConditions.set(
                Json.ensure(pod, "status"),
                "DisruptionTarget",
                "True",
                "EvictionByEvictionAPI",
                "Eviction API: evicting",
                Meta.timestamp(clock.instant()));
        return pod;
    }

    private static RuntimeException mismatch(
            ObjectNode pod, String what, String wanted, String found, String fate) {
        return ApiErrors.conflict(
                "",
                "Pod",
                Meta.name(pod),
                "the "
                        + what
                        + " in the precondition ("
                        + wanted
                        + ") does not match the "
                        + what
                        + " in record ("
                        + found
                        + "). The object might have been "
                        + fate);
    }
}
