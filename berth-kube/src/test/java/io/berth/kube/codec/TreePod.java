package io.berth.kube.codec;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.label.Requirement.Operator;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.Owner;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.spec.Affinity;
import io.berth.api.spec.Container;
import io.berth.api.spec.HostPort;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.PodClaim;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.ResizeStatus;
import io.berth.api.spec.Toleration;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.api.spec.Volume;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Reads a pod from a tree of maps and lists: the slow, plain counterpart of the streaming readers,
/// written from the model's and the contract's words alone.
final class TreePod {
    private TreePod() {}

    static Pod read(Map<?, ?> pod) {
        var metadata = map(pod.get("metadata"));
        var spec = map(pod.get("spec"));
        var status = map(pod.get("status"));
        var parsed = spec(spec);
        return new Pod(
                text(metadata.get("namespace")),
                text(metadata.get("name")),
                text(metadata.get("uid")),
                text(metadata.get("resourceVersion")),
                number(metadata.get("generation")),
                labelsOrEmpty(metadata.get("labels")),
                parsed,
                controller(metadata),
                text(spec.get("nodeName")),
                text(status.get("phase")),
                text(status.get("nominatedNodeName")),
                conditions(status),
                time(metadata.get("creationTimestamp")),
                time(status.get("startTime")),
                time(metadata.get("deletionTimestamp")),
                resize(parsed, status),
                generatedClaims(status));
    }

    private static @Nullable GeneratedClaims generatedClaims(Map<?, ?> status) {
        var claims =
                maps(status.get("resourceClaimStatuses")).stream()
                        .map(each ->
                                new GeneratedClaims.Generated(
                                        text(each.get("name")),
                                        (String) each.get("resourceClaimName")))
                        .toList();
        var extended =
                status.get("extendedResourceClaimStatus") == null
                        ? null
                        : extended(map(status.get("extendedResourceClaimStatus")));
        return claims.isEmpty() && extended == null ? null : new GeneratedClaims(claims, extended);
    }

    private static GeneratedClaims.Extended extended(Map<?, ?> status) {
        return new GeneratedClaims.Extended(
                text(status.get("resourceClaimName")),
                maps(status.get("requestMappings")).stream()
                        .map(each ->
                                new GeneratedClaims.Mapping(
                                        text(each.get("containerName")),
                                        text(each.get("resourceName")),
                                        text(each.get("requestName"))))
                        .toList());
    }

    private static @Nullable Owner controller(Map<?, ?> metadata) {
        for (var owner : maps(metadata.get("ownerReferences"))) {
            if (Boolean.TRUE.equals(owner.get("controller"))) {
                return new Owner(
                        text(owner.get("apiVersion")),
                        text(owner.get("kind")),
                        text(owner.get("name")),
                        text(owner.get("uid")));
            }
        }
        return null;
    }

    private static List<PodCondition> conditions(Map<?, ?> status) {
        return maps(status.get("conditions")).stream()
                .filter(each ->
                        Set.of("PodScheduled", "DisruptionTarget").contains(text(each.get("type"))))
                .map(each ->
                        new PodCondition(
                                text(each.get("type")),
                                text(each.get("status")),
                                text(each.get("reason")),
                                text(each.get("message")),
                                time(each.get("lastProbeTime")),
                                time(each.get("lastTransitionTime"))))
                .toList();
    }

    /// Which containers count for something else than their spec, by the definition of E-9.
    private static @Nullable ResizeStatus resize(PodSpec spec, Map<?, ?> status) {
        boolean infeasible =
                maps(status.get("conditions")).stream()
                        .filter(each -> text(each.get("type")).equals("PodResizePending"))
                        .findFirst()
                        .filter(each -> text(each.get("reason")).equals("Infeasible"))
                        .isPresent();
        var statuses = new HashMap<String, Map<?, ?>>();
        maps(status.get("initContainerStatuses"))
                .forEach(s -> statuses.put(text(s.get("name")), s));
        maps(status.get("containerStatuses")).forEach(s -> statuses.put(text(s.get("name")), s));
        var counted = new ArrayList<>(spec.containers());
        spec.initContainers().stream().filter(Container::restartable).forEach(counted::add);
        var changed = new HashMap<String, ResizeStatus.Given>();
        for (var container : counted) {
            var found = statuses.get(container.name());
            var given = found == null ? null : given(found);
            if (given != null
                    && !effective(container.requests(), given, infeasible)
                            .equals(container.requests())) {
                changed.put(container.name(), given);
            }
        }
        var asked = spec.podLevelRequests();
        var podLevel = asked == null ? null : given(status);
        if (asked != null
                && podLevel != null
                && effective(asked, podLevel, infeasible).equals(asked)) {
            podLevel = null;
        }
        return changed.isEmpty() && podLevel == null
                ? null
                : new ResizeStatus(changed, podLevel, infeasible);
    }

    private static ResizeStatus.@Nullable Given given(Map<?, ?> status) {
        return status.get("resources") == null
                ? null
                : new ResizeStatus.Given(
                        resources(map(status.get("resources")).get("requests")),
                        resources(status.get("allocatedResources")));
    }

    private static Map<String, Quantity> effective(
            Map<String, Quantity> asked, ResizeStatus.Given given, boolean infeasible) {
        var all = new ArrayList<>(List.of(given.requests(), given.allocated()));
        if (!infeasible) {
            all.add(asked);
        }
        var result = new HashMap<String, Quantity>();
        for (var list : all) {
            list.forEach((name, amount) -> {
                var known = result.get(name);
                if (known == null || known.compareTo(amount) < 0) {
                    result.put(name, amount);
                }
            });
        }
        return result;
    }

    private static PodSpec spec(Map<?, ?> spec) {
        var result = PodSpec.builder();
        String scheduler = text(spec.get("schedulerName"));
        if (!scheduler.isEmpty()) {
            result.schedulerName(scheduler);
        }
        result.priority((int) number(spec.get("priority")));
        result.mayPreempt(!text(spec.get("preemptionPolicy")).equals("Never"));
        result.nodeSelector(labels(spec.get("nodeSelector")));
        result.affinity(affinity(spec.get("affinity")));
        result.hostNetwork(Boolean.TRUE.equals(spec.get("hostNetwork")));
        result.hostUsers(!Boolean.FALSE.equals(spec.get("hostUsers")));
        resources(spec.get("overhead")).forEach(result::overhead);
        var podLevel = map(spec.get("resources")).get("requests");
        result.podLevelRequests(podLevel == null ? null : resources(podLevel));
        maps(spec.get("containers")).forEach(each -> result.container(container(each)));
        maps(spec.get("initContainers")).forEach(each -> result.initContainer(container(each)));
        maps(spec.get("volumes")).forEach(each -> result.volume(volume(each)));
        maps(spec.get("tolerations"))
                .forEach(each ->
                        result.toleration(
                                new Toleration(
                                        text(each.get("key")),
                                        text(each.get("operator")),
                                        text(each.get("value")),
                                        text(each.get("effect")))));
        maps(spec.get("topologySpreadConstraints"))
                .forEach(each -> result.topologySpread(spread(each)));
        maps(spec.get("schedulingGates"))
                .forEach(each -> result.schedulingGate(text(each.get("name"))));
        maps(spec.get("resourceClaims"))
                .forEach(each ->
                        result.resourceClaim(
                                new PodClaim(
                                        text(each.get("name")),
                                        (String) each.get("resourceClaimName"),
                                        (String) each.get("resourceClaimTemplateName"))));
        return result.build();
    }

    private static Container container(Map<?, ?> container) {
        var resources = map(container.get("resources"));
        var ports = List.copyOf(maps(container.get("ports")));
        var ofTheNode =
                IntStream.range(0, ports.size())
                        .filter(i -> number(ports.get(i).get("hostPort")) > 0)
                        .boxed()
                        .toList();
        return new Container(
                text(container.get("name")),
                text(container.get("image")),
                resources(resources.get("requests")),
                resources(resources.get("limits")),
                ofTheNode.stream()
                        .map(ports::get)
                        .map(port ->
                                new HostPort(
                                        text(port.get("hostIP")),
                                        text(port.get("protocol")),
                                        (int) number(port.get("hostPort"))))
                        .toList(),
                ofTheNode,
                text(container.get("restartPolicy")).equals("Always"));
    }

    private static Volume volume(Map<?, ?> volume) {
        String name = text(volume.get("name"));
        for (var entry : volume.entrySet()) {
            if (entry.getKey().equals("name") || entry.getValue() == null) {
                continue;
            }
            var source = map(entry.getValue());
            boolean readOnly = Boolean.TRUE.equals(source.get("readOnly"));
            return switch (String.valueOf(entry.getKey())) {
                case "persistentVolumeClaim" ->
                        new Volume(name, new Volume.Claim(text(source.get("claimName")), readOnly));
                case "ephemeral" -> new Volume(name, new Volume.Ephemeral());
                case "configMap" -> new Volume("", new Volume.ConfigMap());
                case "secret" -> new Volume("", new Volume.Secret());
                case "rbd" ->
                        new Volume(
                                "",
                                new Volume.Rbd(
                                        texts(source.get("monitors")),
                                        text(source.get("pool")),
                                        text(source.get("image")),
                                        readOnly));
                case "azureDisk" ->
                        new Volume(
                                name,
                                new Volume.AzureDisk(
                                        text(source.get("diskName")),
                                        text(source.get("diskURI")),
                                        source.get("kind") == null
                                                ? "Managed"
                                                : text(source.get("kind"))));
                case "cinder" -> new Volume("", new Volume.Cinder(text(source.get("volumeID"))));
                case "csi" -> new Volume("", new Volume.Csi(text(source.get("driver")), ""));
                case "iscsi" -> new Volume("", new Volume.Iscsi(text(source.get("iqn")), readOnly));
                default -> new Volume("", new Volume.Other(String.valueOf(entry.getKey())));
            };
        }
        return new Volume("", new Volume.Other("emptyDir"));
    }

    private static TopologySpreadConstraint spread(Map<?, ?> each) {
        return new TopologySpreadConstraint(
                (int) number(each.get("maxSkew")),
                text(each.get("topologyKey")),
                !text(each.get("whenUnsatisfiable")).equals("ScheduleAnyway"),
                selector(each.get("labelSelector")),
                each.get("minDomains") == null ? 1 : (int) number(each.get("minDomains")),
                !text(each.get("nodeAffinityPolicy")).equals("Ignore"),
                text(each.get("nodeTaintsPolicy")).equals("Honor"),
                texts(each.get("matchLabelKeys")));
    }

    private static Affinity affinity(@Nullable Object value) {
        if (value == null) {
            return Affinity.NONE;
        }
        var node = map(map(value).get("nodeAffinity"));
        var required = node.get("requiredDuringSchedulingIgnoredDuringExecution");
        var preferred = node.get("preferredDuringSchedulingIgnoredDuringExecution");
        var pods = map(value).get("podAffinity");
        var anti = map(value).get("podAntiAffinity");
        return new Affinity(
                required == null
                        ? null
                        : new NodeSelector(
                                maps(map(required).get("nodeSelectorTerms")).stream()
                                        .map(TreePod::term)
                                        .toList()),
                maps(preferred).stream()
                        .map(each ->
                                new NodeSelector.Preferred(
                                        (int) number(each.get("weight")),
                                        term(map(each.get("preference")))))
                        .toList(),
                preferred != null,
                pods != null || anti != null,
                required(pods),
                weighted(pods),
                required(anti),
                weighted(anti));
    }

    private static List<Affinity.PodTerm> required(@Nullable Object affinity) {
        return maps(map(affinity).get("requiredDuringSchedulingIgnoredDuringExecution")).stream()
                .map(TreePod::podTerm)
                .toList();
    }

    private static List<Affinity.WeightedPodTerm> weighted(@Nullable Object affinity) {
        return maps(map(affinity).get("preferredDuringSchedulingIgnoredDuringExecution")).stream()
                .map(each ->
                        new Affinity.WeightedPodTerm(
                                (int) number(each.get("weight")),
                                podTerm(map(each.get("podAffinityTerm")))))
                .toList();
    }

    private static Affinity.PodTerm podTerm(Map<?, ?> term) {
        return new Affinity.PodTerm(
                selector(term.get("labelSelector")),
                Set.copyOf(texts(term.get("namespaces"))),
                term.get("namespaceSelector") == null
                        ? null
                        : selector(term.get("namespaceSelector")),
                text(term.get("topologyKey")));
    }

    private static NodeSelector.Term term(Map<?, ?> term) {
        return new NodeSelector.Term(
                requirements(term.get("matchExpressions")), requirements(term.get("matchFields")));
    }

    private static LabelSelector selector(@Nullable Object value) {
        if (value == null) {
            return LabelSelector.NOTHING;
        }
        var sorted = new TreeMap<String, String>();
        map(map(value).get("matchLabels"))
                .forEach((key, text) -> sorted.put(String.valueOf(key), text(text)));
        return LabelSelector.of(sorted, requirements(map(value).get("matchExpressions")));
    }

    private static List<Requirement> requirements(@Nullable Object value) {
        return maps(value).stream()
                .map(each ->
                        new Requirement(
                                text(each.get("key")),
                                switch (text(each.get("operator"))) {
                                    case "In" -> Operator.IN;
                                    case "NotIn" -> Operator.NOT_IN;
                                    case "Exists" -> Operator.EXISTS;
                                    case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
                                    case "Gt" -> Operator.GT;
                                    case "Lt" -> Operator.LT;
                                    default -> Operator.UNKNOWN;
                                },
                                texts(each.get("values"))))
                .toList();
    }

    private static Map<String, Quantity> resources(@Nullable Object value) {
        return map(value).entrySet().stream()
                .collect(
                        Collectors.toMap(
                                each -> String.valueOf(each.getKey()),
                                each -> Quantity.parse(String.valueOf(each.getValue()))));
    }

    private static @Nullable Labels labels(@Nullable Object value) {
        return value == null ? null : labelsOrEmpty(value);
    }

    private static Labels labelsOrEmpty(@Nullable Object value) {
        var result = new HashMap<String, String>();
        map(value).forEach((key, text) -> result.put(String.valueOf(key), text(text)));
        return Labels.of(result);
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<Map<?, ?>> maps(@Nullable Object value) {
        var result = new ArrayList<Map<?, ?>>();
        if (value instanceof List<?> list) {
            for (var each : list) {
                if (each instanceof Map<?, ?> map) {
                    result.add(map);
                }
            }
        }
        return result;
    }

    private static List<String> texts(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : String.valueOf(value);
    }

    private static long number(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }

    private static @Nullable Instant time(@Nullable Object value) {
        return value == null ? null : Instant.parse(String.valueOf(value));
    }
}
