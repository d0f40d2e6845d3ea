package io.berth.api.plugin;

import io.berth.api.model.Kind;
import io.berth.api.model.Namespace;
import io.berth.api.model.Pod;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.api.model.Service;
import io.berth.api.model.Workload;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// Other objects of the cluster, as last seen.
public interface Listers {
    @Nullable Pod pod(String namespace, String name);

    @Nullable Namespace namespace(String name);

    Collection<Namespace> namespaces();

    Collection<Service> services(String namespace);

    @Nullable Workload workload(Kind kind, String namespace, String name);

    Collection<PodDisruptionBudget> podDisruptionBudgets(String namespace);

    /// Changes whenever a service or workload does, so that what is derived from them can be kept.
    long selectorsVersion();

    /// Changes whenever a namespace does.
    long namespacesVersion();
}
