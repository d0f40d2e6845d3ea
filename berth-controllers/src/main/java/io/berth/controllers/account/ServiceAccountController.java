package io.berth.controllers.account;

import static io.berth.controllers.client.Resource.NAMESPACES;
import static io.berth.controllers.client.Resource.SERVICE_ACCOUNTS;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Cluster;
import io.berth.controllers.workload.Notices;

/// Gives every namespace its service account `default`.
public final class ServiceAccountController implements Controller {
    private static final String DEFAULT = "default";

    private final Cluster cluster;
    private final Informer<KubeObject> namespaces;
    private final Loop loop;

    public ServiceAccountController(Cluster cluster) {
        this.cluster = cluster;
        this.namespaces = cluster.of(NAMESPACES);
        this.loop = new Loop("serviceaccounts", 1, cluster.timer(), this::reconcile);
        Notices.ofItself(namespaces, loop);
        cluster.of(SERVICE_ACCOUNTS)
                .listen((before, after) -> {
                    if (after == null && before != null) {
                        loop.enqueue(before.meta().namespace());
                    }
                });
    }

    @Override
    public void start() {
        loop.start();
    }

    private void reconcile(String name) {
        KubeObject namespace = namespaces.find(name).orElse(null);
        boolean going =
                namespace == null
                        || namespace.meta().isDeleting()
                        || namespace.status().path("phase").asText().equals("Terminating");
        if (going || cluster.of(SERVICE_ACCOUNTS).find(name, DEFAULT).isPresent()) {
            return;
        }
        ObjectNode account = Trees.object();
        account.putObject("metadata").put("name", DEFAULT);
        try {
            KubeObject _ = cluster.create(SERVICE_ACCOUNTS, name, account);
        } catch (ApiFailure failure) {
            if (!failure.isAlreadyThere() && !failure.isNamespaceGoing() && !failure.isNotFound()) {
                throw failure;
            }
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
