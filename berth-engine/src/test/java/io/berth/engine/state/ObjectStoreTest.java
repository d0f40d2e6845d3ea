package io.berth.engine.state;

import static io.berth.engine.state.StateFixtures.node;
import static io.berth.engine.state.StateFixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.LabelSelector;
import io.berth.api.model.Labels;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.api.model.Service;
import io.berth.api.model.Workload;
import io.berth.api.plugin.StateObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ObjectStoreTest {
    private static final Service SERVICE = new Service("ns", "web", Labels.of("app", "web"));
    private static final Namespace NAMESPACE = new Namespace("ns", Labels.EMPTY);
    private static final Workload SET =
            new Workload(Kind.REPLICA_SET, "ns", "web", LabelSelector.EVERYTHING);
    private static final PodDisruptionBudget BUDGET =
            new PodDisruptionBudget("ns", "web", LabelSelector.EVERYTHING, 1, Set.of());

    private final ObjectStore store = new ObjectStore();

    @Test
    void objectsAreFoundAsLastSeen() {
        var newer = pod("p", "a").toBuilder().resourceVersion("2").build();
        assertThat(store.put(pod("p", ""))).isNull();
        assertThat(store.put(newer)).isEqualTo(pod("p", ""));
        store.put(SERVICE);
        store.put(NAMESPACE);
        store.put(SET);
        store.put(BUDGET);

        assertThat(store.pod("default", "p")).isSameAs(newer);
        assertThat(store.podCount()).isEqualTo(1);
        assertThat(store.services("ns")).containsExactly(SERVICE);
        assertThat(store.services("elsewhere")).isEmpty();
        assertThat(store.namespace("ns")).isSameAs(NAMESPACE);
        assertThat(store.namespaces()).containsExactly(NAMESPACE);
        assertThat(store.workload(Kind.REPLICA_SET, "ns", "web")).isSameAs(SET);
        assertThat(store.workload(Kind.STATEFUL_SET, "ns", "web")).isNull();
        assertThat(store.podDisruptionBudgets("ns")).containsExactly(BUDGET);
    }

    @Test
    void removedObjectIsReturnedOnce() {
        for (var object : List.of(pod("p", ""), SERVICE, NAMESPACE, SET, BUDGET)) {
            store.put(object);
            assertThat(store.remove(object.kind(), object.namespace(), object.name()))
                    .isSameAs(object);
            assertThat(store.remove(object.kind(), object.namespace(), object.name())).isNull();
        }
        assertThat(store.podCount()).isZero();
        assertThat(store.services("ns")).isEmpty();
    }

    @Test
    void selectorsVersionFollowsServicesAndWorkloads() {
        long version = store.selectorsVersion();
        store.put(SERVICE);
        assertThat(store.selectorsVersion()).isGreaterThan(version);

        version = store.selectorsVersion();
        store.put(new Service("ns", "web", Labels.of("app", "web")));
        store.put(NAMESPACE);
        store.put(BUDGET);
        store.put(pod("p", ""));
        assertThat(store.selectorsVersion()).as("nothing of it changed").isEqualTo(version);

        store.put(SET);
        assertThat(store.selectorsVersion()).isGreaterThan(version);
        version = store.selectorsVersion();
        store.remove(Kind.REPLICA_SET, "ns", "web");
        assertThat(store.selectorsVersion()).isGreaterThan(version);
    }

    @Test
    void namespacesVersionFollowsNamespaces() {
        long version = store.namespacesVersion();
        store.put(NAMESPACE);
        assertThat(store.namespacesVersion()).isGreaterThan(version);

        version = store.namespacesVersion();
        store.put(NAMESPACE);
        store.put(SERVICE);
        assertThat(store.namespacesVersion()).isEqualTo(version);

        store.put(new Namespace("ns", Labels.of("team", "x")));
        assertThat(store.namespacesVersion()).isGreaterThan(version);
    }

    @Test
    void observerHearsOfObjectsButNotOfPods() {
        var heard = new ArrayList<String>();
        store.put(NAMESPACE);
        store.put(pod("p", ""));
        store.observe(
                new StateObserver() {
                    @Override
                    public void podAdded(Pod pod, int slot) {}

                    @Override
                    public void podRemoved(Pod pod, int slot) {}

                    @Override
                    public void nodeChanged(
                            int slot, @Nullable Node before, @Nullable Node after) {}

                    @Override
                    public void objectChanged(
                            @Nullable ClusterObject before, @Nullable ClusterObject after) {
                        heard.add(name(before) + "->" + name(after));
                    }
                });
        store.put(SERVICE);
        store.put(SERVICE);
        store.put(pod("q", ""));
        store.remove(Kind.SERVICE, "ns", "web");
        store.remove(Kind.SERVICE, "ns", "web");

        assertThat(heard).containsExactly("null->ns", "null->web", "web->null");
    }

    @Test
    void nodesBelongElsewhere() {
        assertThatThrownBy(() -> store.put(node("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node a belongs in the cluster state");
        assertThatThrownBy(() -> store.remove(Kind.NODE, "", "a"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static @Nullable String name(@Nullable ClusterObject object) {
        return object == null ? null : object.name();
    }
}
