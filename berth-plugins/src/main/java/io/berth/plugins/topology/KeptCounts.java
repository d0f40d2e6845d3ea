package io.berth.plugins.topology;

import io.berth.api.column.NodeColumns;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.handle.StateObserver;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Counts of pods per slot and per domain that are kept up to date rather than recounted.
///
/// Goal: "how many pods matching this selector are in each zone?" in constant time. Layout:
///
/// - pods that no query can tell apart form a [EqualPods]; a group knows the views that count it
/// - a [PodView] counts the pods of one query per slot; it is made when first asked for, from the
///   groups, and given up when unused for long
/// - a [SlotDomains] says for one division of the nodes which domain each slot is in
/// - a [DomainCounts] adds a view's pods up per domain
///
/// A pod that comes or goes changes its group and the group's views by one. A node that changes is
/// marked in each division and moved with its counts when the division is next read.
///
/// Owned by the engine thread.
public final class KeptCounts implements StateObserver {
    private static final int VIEWS_KEPT = 4096;
    private static final long USES_BEFORE_DROP = 100_000;

    private final NodeColumns columns;
    private final Lister<Namespace> namespaces;
    private final Map<EqualPods.Key, EqualPods> groups = new HashMap<>();
    private final Map<String, Integer> groupsByNamespace = new HashMap<>();
    private final LinkedHashMap<PodQuery, PodView> views = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Domains, SlotDomains> divisions = new HashMap<>();
    private @Nullable Node[] nodes = new @Nullable Node[64];
    private long uses;

    private KeptCounts(Handle handle) {
        this.columns = handle.columns();
        this.namespaces = handle.listers().of(Kind.NAMESPACE, Namespace.class);
    }

    /// The one of this scheduler: however many plugins of however many profiles count, pods are
    /// grouped once.
    public static KeptCounts of(Handle handle) {
        return handle.shared(
                KeptCounts.class,
                () -> {
                    var made = new KeptCounts(handle);
                    handle.observe(made);
                    return made;
                });
    }

    /// How many pods that answer the query are in each domain.
    public DomainCounts counts(PodQuery query, Domains division) {
        return view(query).in(division, this);
    }

    /// Likewise for pods that the caller counts itself by [#add].
    public DomainCounts counts(CountedPods pods, Domains division) {
        return pods.in(division, this);
    }

    public void add(CountedPods pods, int slot, int change) {
        pods.add(slot, change);
    }

    /// Gives up counts that will not be asked for again.
    public void drop(CountedPods pods) {
        pods.release(this);
    }

    public PodView view(PodQuery query) {
        uses++;
        var known = views.get(query);
        if (known == null) {
            makeRoom();
            known = newView(query);
            views.put(query, known);
        }
        known.use(uses);
        return known;
    }

    /// All groups are asked before the first joins, so that nothing counts into a view that never
    /// came to be.
    private PodView newView(PodQuery query) {
        var members = new ArrayList<EqualPods>();
        for (var group : groups.values()) {
            if (matches(query, group.key())) {
                members.add(group);
            }
        }
        var view = new PodView(query);
        members.forEach(group -> group.join(view));
        return view;
    }

    @Override
    public void podAdded(Pod pod, int slot) {
        var key = EqualPods.Key.of(pod);
        var group = groups.get(key);
        if (group == null) {
            group = newGroup(key);
        }
        group.add(slot, 1);
    }

    @Override
    public void podRemoved(Pod pod, int slot) {
        var key = EqualPods.Key.of(pod);
        var group = groups.get(key);
        if (group == null) {
            throw new IllegalStateException(
                    "pod " + pod.key() + " was removed from slot " + slot + " but never added");
        }
        group.add(slot, -1);
        if (group.isEmpty()) {
            groups.remove(key);
            groupsByNamespace.computeIfPresent(
                    key.namespace(), (name, count) -> count == 1 ? null : count - 1);
        }
    }

    @Override
    public void nodeChanged(int slot, @Nullable Node before, @Nullable Node after) {
        if (slot >= nodes.length) {
            nodes = Arrays.copyOf(nodes, Math.max(slot + 1, 2 * nodes.length));
        }
        nodes[slot] = after;
        if (before == null
                || after == null
                || !before.name().equals(after.name())
                || !before.labels().equals(after.labels())
                || !before.taints().equals(after.taints())) {
            divisions.values().forEach(division -> division.markChanged(slot));
        }
    }

    /// A namespace's labels decide which pods a query with a namespace selector means; such views
    /// are counted anew when next asked for.
    @Override
    public void objectChanged(@Nullable ClusterObject before, @Nullable ClusterObject after) {
        var object = after == null ? before : after;
        if (!(object instanceof Namespace namespace)
                || !groupsByNamespace.containsKey(namespace.name())
                || before instanceof Namespace old
                        && after instanceof Namespace now
                        && Objects.equals(old.labels(), now.labels())) {
            return;
        }
        views.values()
                .removeIf(view -> {
                    if (view.query().readsNamespaceLabels()) {
                        drop(view);
                        return true;
                    }
                    return false;
                });
    }

    SlotDomains domains(Domains division) {
        var known = divisions.get(division);
        if (known == null) {
            known = new SlotDomains(division);
            for (int slot = 0; slot < nodes.length; slot++) {
                if (nodes[slot] != null) {
                    known.markChanged(slot);
                }
            }
            divisions.put(division, known);
        }
        refresh(known);
        return known;
    }

    void refresh(SlotDomains domains) {
        domains.refresh(nodes, columns);
    }

    void release(DomainCounts counts) {
        var domains = counts.domains();
        domains.detach(counts);
        if (!domains.isUsed()) {
            divisions.remove(domains.division());
        }
    }

    private EqualPods newGroup(EqualPods.Key key) {
        var group = new EqualPods(key);
        for (var view : views.values()) {
            if (matches(view.query(), key)) {
                group.join(view);
            }
        }
        groups.put(key, group);
        groupsByNamespace.merge(key.namespace(), 1, Integer::sum);
        return group;
    }

    private boolean matches(PodQuery query, EqualPods.Key key) {
        return query.matches(
                key.namespace(),
                query.readsNamespaceLabels() ? namespaces.get(key.namespace()) : null,
                key.labels(),
                key.terminating());
    }

    /// Gives up views that were not used for long, and the one unused for longest where there are
    /// too many. The map is in the order of use.
    private void makeRoom() {
        var eldest = views.values().iterator();
        while (eldest.hasNext()) {
            var view = eldest.next();
            if (views.size() < VIEWS_KEPT && view.lastUse() > uses - USES_BEFORE_DROP) {
                return;
            }
            eldest.remove();
            drop(view);
        }
    }

    private void drop(PodView view) {
        view.drop();
        view.release(this);
    }
}
