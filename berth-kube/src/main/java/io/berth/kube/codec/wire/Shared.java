package io.berth.kube.codec.wire;

import io.berth.api.amount.Quantity;
import io.berth.api.label.Labels;
import io.berth.api.model.NodeImage;
import io.berth.api.model.Owner;
import io.berth.api.spec.Container;
import io.berth.api.spec.PodSpec;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/// What decoded objects have in common: pods of one template differ in name and uid, so they share
/// one [PodSpec], one set of [Labels] and one [Owner], and all share the strings in them.
///
/// One instance serves all watches of a process. Thread-safe.
public final class Shared {
    private final TextCache<String> strings = new TextCache<>(15, text -> text);
    private final TextCache<Quantity> quantities;
    private final WeakInterner<PodSpec> specs = new WeakInterner<>();
    private final WeakInterner<Labels> labels = new WeakInterner<>();
    private final WeakInterner<Owner> owners = new WeakInterner<>();
    private final WeakInterner<NodeImage> images = new WeakInterner<>();
    private final WeakInterner<Object> parts = new WeakInterner<>();

    private final AtomicLong mistakes = new AtomicLong();

    public Shared() {
        this(Quantity::parse);
    }

    public Shared(Function<String, Quantity> parser) {
        quantities = new TextCache<>(12, parser);
    }

    public String string(char[] buffer, int offset, int length) {
        return length == 0 ? "" : strings.of(buffer, offset, length);
    }

    /// @throws IllegalArgumentException where the text is no quantity
    Quantity quantity(char[] buffer, int offset, int length) {
        return quantities.of(buffer, offset, length);
    }

    Labels labels(Labels value) {
        return value.isEmpty() ? Labels.EMPTY : labels.intern(value);
    }

    public Owner owner(Owner value) {
        return owners.intern(value);
    }

    public NodeImage image(NodeImage value) {
        return images.intern(value);
    }

    /// Known specs are found as a whole. Only a new one has its parts shared too, for specs that
    /// differ in little, such as those of a stateful set.
    public PodSpec spec(PodSpec value) {
        return specs.intern(value, this::withSharedParts);
    }

    private PodSpec withSharedParts(PodSpec spec) {
        var result = PodSpec.builder();
        result.schedulerName(spec.schedulerName())
                .priority(spec.priority())
                .mayPreempt(spec.mayPreempt())
                .hostUsers(spec.hostUsers())
                .restartsAllContainers(spec.restartsAllContainers())
                .nodeSelector(spec.nodeSelector() == null ? null : labels(spec.nodeSelector()))
                .affinity(part(spec.affinity()))
                .podLevelRequests(
                        spec.podLevelRequests() == null ? null : part(spec.podLevelRequests()))
                .hostNetwork(spec.hostNetwork());
        spec.tolerations().forEach(each -> result.toleration(part(each)));
        spec.topologySpread().forEach(each -> result.topologySpread(part(each)));
        spec.schedulingGates().forEach(result::schedulingGate);
        spec.containers().forEach(each -> result.container(part(withSharedMaps(each))));
        spec.initContainers().forEach(each -> result.initContainer(part(withSharedMaps(each))));
        spec.overhead().forEach(result::overhead);
        spec.volumes().forEach(each -> result.volume(part(each)));
        spec.resourceClaims().forEach(result::resourceClaim);
        return result.build();
    }

    private Container withSharedMaps(Container container) {
        return container.withResources(
                resources(container.requests()), resources(container.limits()));
    }

    private Map<String, Quantity> resources(Map<String, Quantity> list) {
        return list.isEmpty() ? Map.of() : part(list);
    }

    /// An equal object that was seen before, or this one.
    @SuppressWarnings("unchecked") // an equal object of the model is of the same type
    public <T> T part(T value) {
        return (T) parts.intern(value);
    }

    public void mistaken() {
        mistakes.incrementAndGet();
    }

    /// How many objects were passed over because reading them ended in an exception that nobody
    /// foresaw.
    public long mistakes() {
        return mistakes.get();
    }

    /// How many distinct pod specs are in use.
    public int specCount() {
        return specs.size();
    }
}
