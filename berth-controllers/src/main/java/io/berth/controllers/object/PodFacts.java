package io.berth.controllers.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What controllers want to know of a pod. Clusters have many pods, so nothing else is kept.
///
/// @param node empty while the pod has none
/// @param target the node that it has or, as daemons do, asks for by name
/// @param readySince since when it is ready; empty where it is not
/// @param ephemeral its generic ephemeral volumes: name and template of the claim
/// @param claims its resource claims, as its spec and its status name them
/// @param exitCodes those of containers that ended badly
public record PodFacts(
        Meta meta,
        String node,
        String target,
        String phase,
        String restartPolicy,
        Optional<Instant> readySince,
        int restarts,
        List<Toleration> tolerations,
        List<String> claimVolumes,
        List<Ephemeral> ephemeral,
        List<PodClaim> claims,
        List<Integer> exitCodes,
        boolean disrupted)
        implements Held {

    /// A volume whose claim is made for the pod.
    public record Ephemeral(String volume, ObjectNode template) {}

    /// A resource claim of a pod.
    ///
    /// @param claim the claim's name where the spec says it
    /// @param template the template's name where one is to be made
    /// @param made the name of the one that was made; empty where none was yet
    /// @param settled whether the status speaks of it, be it to say that none is needed
    public record PodClaim(
            String name, String claim, String template, String made, boolean settled) {}

    public static PodFacts of(ObjectNode tree) {
        JsonNode spec = tree.path("spec");
        JsonNode status = tree.path("status");
        return new PodFacts(
                Meta.of(tree),
                spec.path("nodeName").asText("").intern(),
                target(spec),
                status.path("phase").asText("").intern(),
                spec.path("restartPolicy").asText("").intern(),
                readySince(status),
                restarts(status),
                Toleration.list(spec.path("tolerations")),
                claimVolumes(spec),
                ephemeral(spec),
                claims(spec, status),
                exitCodes(status),
                Conditions.isTrue(status, "DisruptionTarget"));
    }

    private static String target(JsonNode spec) {
        JsonNode affinity = spec.path("affinity").path("nodeAffinity");
        JsonNode asked =
                affinity.path("requiredDuringSchedulingIgnoredDuringExecution")
                        .path("nodeSelectorTerms")
                        .path(0)
                        .path("matchFields")
                        .path(0)
                        .path("values")
                        .path(0);
        return spec.path("nodeName").asText(asked.asText("")).intern();
    }

    private static Optional<Instant> readySince(JsonNode status) {
        return Conditions.find(status, "Ready")
                .filter(ready -> ready.path("status").asText().equals("True"))
                .map(ready ->
                        Trees.instant(ready.path("lastTransitionTime")).orElse(Instant.EPOCH));
    }

    private static int restarts(JsonNode status) {
        int most = 0;
        for (JsonNode each : status.path("containerStatuses")) {
            most = Math.max(most, each.path("restartCount").asInt());
        }
        return most;
    }

    private static List<String> claimVolumes(JsonNode spec) {
        return spec.path("volumes")
                .valueStream()
                .filter(each -> each.has("persistentVolumeClaim"))
                .map(each -> each.path("persistentVolumeClaim").path("claimName").asText())
                .toList();
    }

    private static List<Ephemeral> ephemeral(JsonNode spec) {
        var found = new ArrayList<Ephemeral>();
        for (JsonNode each : spec.path("volumes")) {
            if (each.path("ephemeral").path("volumeClaimTemplate") instanceof ObjectNode template) {
                found.add(new Ephemeral(each.path("name").asText(), template));
            }
        }
        return List.copyOf(found);
    }

    private static List<PodClaim> claims(JsonNode spec, JsonNode status) {
        var found = new ArrayList<PodClaim>();
        for (JsonNode each : spec.path("resourceClaims")) {
            String name = each.path("name").asText();
            Optional<JsonNode> made =
                    status.path("resourceClaimStatuses")
                            .valueStream()
                            .filter(known -> known.path("name").asText().equals(name))
                            .findFirst();
            found.add(
                    new PodClaim(
                            name,
                            each.path("resourceClaimName").asText(""),
                            each.path("resourceClaimTemplateName").asText(""),
                            made.map(known -> known.path("resourceClaimName").asText(""))
                                    .orElse(""),
                            made.isPresent()));
        }
        return List.copyOf(found);
    }

    private static List<Integer> exitCodes(JsonNode status) {
        return status.path("containerStatuses")
                .valueStream()
                .map(each -> each.path("state").path("terminated").path("exitCode").asInt(0))
                .filter(code -> code != 0)
                .toList();
    }

    public boolean isFinished() {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /// Whether it counts among those that do the work.
    public boolean isActive() {
        return !isFinished() && !meta.isDeleting();
    }

    public boolean isReady() {
        return readySince.isPresent();
    }

    /// Ready for at least so long.
    public boolean isAvailable(Duration least, Instant now) {
        return readySince
                .filter(since -> least.isZero() || !since.plus(least).isAfter(now))
                .isPresent();
    }
}
