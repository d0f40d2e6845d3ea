package io.berth.kube.codec.kind;

import io.berth.api.label.LabelSelector;
import io.berth.api.spec.PodClaim;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.PodSpecBuilder;
import io.berth.api.spec.Toleration;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.Selectors;
import java.io.IOException;
import java.util.List;

/// Reads a pod's `spec`. The node, which is not part of what a template fixes, is kept beside it.
public final class PodSpecReader {
    private String nodeName = "";
    private PodSpec spec = PodSpec.DEFAULT;

    public void clear() {
        nodeName = "";
        spec = PodSpec.DEFAULT;
    }

    public String nodeName() {
        return nodeName;
    }

    public PodSpec spec() {
        return spec;
    }

    public void read(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return;
        }
        var result = PodSpec.builder();
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "nodeName" -> nodeName = in.sharedText();
                case "schedulerName" -> {
                    String name = in.sharedText();
                    result.schedulerName(name.isEmpty() ? PodSpec.DEFAULT_SCHEDULER : name);
                }
                case "priority" -> result.priority(in.integer());
                case "preemptionPolicy" -> result.mayPreempt(!in.sharedText().equals("Never"));
                case "nodeSelector" -> result.nodeSelector(in.labels());
                case "affinity" -> result.affinity(AffinityReader.read(in));
                case "hostNetwork" -> result.hostNetwork(in.flag());
                case "hostUsers" -> result.hostUsers(in.isNull() || in.flag());
                case "overhead" -> in.resources().forEach(result::overhead);
                case "resources" ->
                        result.podLevelRequests(ContainerReader.resources(in).requests());
                default -> readList(in, field, result);
            }
        }
        spec = in.shared().spec(result.build());
    }

    private static void readList(ObjectInput in, String field, PodSpecBuilder into)
            throws IOException {
        switch (field) {
            case "containers",
                    "initContainers",
                    "volumes",
                    "tolerations",
                    "topologySpreadConstraints",
                    "schedulingGates",
                    "resourceClaims" -> {
                if (in.beginArray()) {
                    while (in.nextElement()) {
                        if (in.beginObject()) {
                            readElement(in, field, into);
                        }
                    }
                }
            }
            default -> in.skip();
        }
    }

    private static void readElement(ObjectInput in, String list, PodSpecBuilder into)
            throws IOException {
        switch (list) {
            case "containers" -> into.container(ContainerReader.read(in, into));
            case "initContainers" -> into.initContainer(ContainerReader.read(in, into));
            case "volumes" -> into.volume(VolumeReader.read(in));
            case "tolerations" -> into.toleration(toleration(in));
            case "topologySpreadConstraints" -> into.topologySpread(spread(in));
            case "schedulingGates" -> into.schedulingGate(nameOf(in));
            case "resourceClaims" -> into.resourceClaim(claim(in));
            default -> throw new IllegalStateException(list);
        }
    }

    private static PodClaim claim(ObjectInput in) throws IOException {
        String name = "";
        String claimName = null;
        String templateName = null;
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "name" -> name = in.sharedText();
                case "resourceClaimName" -> claimName = in.isNull() ? null : in.sharedText();
                case "resourceClaimTemplateName" ->
                        templateName = in.isNull() ? null : in.sharedText();
                default -> in.skip();
            }
        }
        return new PodClaim(name, claimName, templateName);
    }

    private static String nameOf(ObjectInput in) throws IOException {
        String name = "";
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            if (field.equals("name")) {
                name = in.sharedText();
            } else {
                in.skip();
            }
        }
        return name;
    }

    private static Toleration toleration(ObjectInput in) throws IOException {
        String key = "";
        String operator = "";
        String value = "";
        String effect = "";
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "key" -> key = in.sharedText();
                case "operator" -> operator = in.sharedText();
                case "value" -> value = in.sharedText();
                case "effect" -> effect = in.sharedText();
                default -> in.skip();
            }
        }
        return new Toleration(key, operator, value, effect);
    }

    private static TopologySpreadConstraint spread(ObjectInput in) throws IOException {
        int maxSkew = 0;
        String topologyKey = "";
        boolean hard = true;
        var selector = LabelSelector.NOTHING;
        int minDomains = 1;
        boolean honorsAffinity = true;
        boolean honorsTaints = false;
        var matchLabelKeys = List.<String>of();
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "maxSkew" -> maxSkew = in.integer();
                case "topologyKey" -> topologyKey = in.sharedText();
                case "whenUnsatisfiable" -> hard = !in.sharedText().equals("ScheduleAnyway");
                case "labelSelector" -> selector = Selectors.labelSelector(in);
                case "minDomains" -> minDomains = in.isNull() ? 1 : in.integer();
                case "nodeAffinityPolicy" -> honorsAffinity = !in.sharedText().equals("Ignore");
                case "nodeTaintsPolicy" -> honorsTaints = in.sharedText().equals("Honor");
                case "matchLabelKeys" -> matchLabelKeys = in.texts();
                default -> in.skip();
            }
        }
        return new TopologySpreadConstraint(
                maxSkew,
                topologyKey,
                hard,
                selector,
                minDomains,
                honorsAffinity,
                honorsTaints,
                matchLabelKeys);
    }
}
