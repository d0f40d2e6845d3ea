package io.berth.engine.state;

import static io.berth.engine.state.StateFixtures.node;
import static io.berth.engine.state.StateFixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.handle.Lister;
import io.berth.api.handle.StateObserver;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.PodController;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.api.model.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ObjectStoreTest {
    private static final Service SERVICE = new Service("ns", "web", Labels.of("app", "web"));
    private static final Namespace NAMESPACE = new Namespace("ns", Labels.EMPTY);
    private static final PodController SET =
            new PodController(Kind.REPLICA_SET, "ns", "web", LabelSelector.EVERYTHING);
    private static final PodDisruptionBudget BUDGET =
            new PodDisruptionBudget("ns", "web", LabelSelector.EVERYTHING, 1, Set.of());

    private final ObjectStore store = new ObjectStore();
    private final Lister<Service> services = store.of(Kind.SERVICE, Service.class);
    private final Lister<Namespace> namespaces = store.of(Kind.NAMESPACE, Namespace.class);

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
        assertThat(store.of(Kind.POD, Pod.class).get("default", "p")).isSameAs(newer);
        assertThat(store.podCount()).isEqualTo(1);
        assertThat(services.in("ns")).containsExactly(SERVICE);
        assertThat(services.in("elsewhere")).isEmpty();
        assertThat(namespaces.get("ns")).isSameAs(NAMESPACE);
        assertThat(namespaces.all()).containsExactly(NAMESPACE);
        assertThat(store.of(Kind.REPLICA_SET, PodController.class).get("ns", "web")).isSameAs(SET);
        assertThat(store.of(Kind.STATEFUL_SET, PodController.class).get("ns", "web")).isNull();
        assertThat(store.of(Kind.POD_DISRUPTION_BUDGET, PodDisruptionBudget.class).in("ns"))
                .containsExactly(BUDGET);
    }

    @Test
    void allObjectsOfAKindAreListedWhateverTheirNamespace() {
        var other = new Service("elsewhere", "web", Labels.EMPTY);
        store.put(SERVICE);
        store.put(other);
        store.put(NAMESPACE);

        assertThat(services.all()).containsExactlyInAnyOrder(SERVICE, other).hasSize(2);
    }

    @Test
    void indexFollowsWhatObjectsSay() {
        store.put(SERVICE);
        var index = services.index(ObjectStoreTest::app);
        var other = new Service("ns", "db", Labels.of("app", "db"));
        store.put(other);
        store.put(new Service("ns", "mute", Labels.EMPTY));
        assertThat(index.of("web")).containsExactly(SERVICE);
        assertThat(index.of("db")).containsExactly(other);

        var changed = new Service("ns", "db", Labels.of("app", "web"));
        store.put(changed);
        assertThat(index.of("web")).containsExactly(SERVICE, changed);
        assertThat(index.of("db")).isEmpty();

        store.remove(Kind.SERVICE, "ns", "web");
        assertThat(index.of("web")).containsExactly(changed);
        assertThat(index.of("mute")).isEmpty();
    }

    private static @Nullable String app(Service service) {
        var selector = service.selector();
        return selector == null ? null : selector.value("app");
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
        assertThat(services.in("ns")).isEmpty();
    }

    @Test
    void versionFollowsTheObjectsOfItsKind() {
        long version = services.version();
        store.put(SERVICE);
        assertThat(services.version()).isGreaterThan(version);

        version = services.version();
        store.put(new Service("ns", "web", Labels.of("app", "web")));
        store.put(NAMESPACE);
        store.put(BUDGET);
        store.put(pod("p", ""));
        store.remove(Kind.SERVICE, "ns", "unknown");
        assertThat(services.version()).as("nothing of it changed").isEqualTo(version);

        store.remove(Kind.SERVICE, "ns", "web");
        assertThat(services.version()).isGreaterThan(version);
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
                .hasMessage("nodes belong in the cluster state");
        assertThatThrownBy(() -> store.remove(Kind.NODE, "", "a"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.of(Kind.NODE, Node.class))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static @Nullable String name(@Nullable ClusterObject object) {
        return object == null ? null : object.name();
    }
}
