package io.berth.controllers;

import io.berth.controllers.account.ServiceAccountController;
import io.berth.controllers.client.ApiEndpoint;
import io.berth.controllers.client.KubeClient;
import io.berth.controllers.client.Resource;
import io.berth.controllers.cronjob.CronJobController;
import io.berth.controllers.daemonset.DaemonSetController;
import io.berth.controllers.deployment.DeploymentController;
import io.berth.controllers.device.ResourceClaimController;
import io.berth.controllers.disruption.DisruptionController;
import io.berth.controllers.garbage.GarbageCollector;
import io.berth.controllers.informer.Informers;
import io.berth.controllers.job.JobController;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Timer;
import io.berth.controllers.node.NodeController;
import io.berth.controllers.node.PodEvictor;
import io.berth.controllers.replicaset.ReplicaSetController;
import io.berth.controllers.statefulset.StatefulSetController;
import io.berth.controllers.volume.EphemeralController;
import io.berth.controllers.volume.VolumeController;
import io.berth.controllers.workload.Cluster;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All controllers of a cluster, as clients of its API server.
///
/// ```java
/// try (var controllers = Controllers.start(new ApiEndpoint(url, tls, token))) {
///     ...
/// }
/// ```
public final class Controllers implements AutoCloseable {
    /// Who makes volumes for storage classes that name it.
    public static final String PROVISIONER = VolumeController.PROVISIONER_NAME;

    private static final Logger LOG = LoggerFactory.getLogger(Controllers.class);
    private static final Duration SYNC = Duration.ofMinutes(2);

    private final KubeClient client;
    private final Timer timer = new Timer();
    private final Informers informers;
    private final List<Controller> all;
    private final Thread starter;

    private Controllers(ApiEndpoint endpoint) {
        client = new KubeClient(endpoint);
        informers = new Informers(client);
        var cluster = new Cluster(client, informers, timer, InstantSource.system());
        all = build(cluster);
        starter = Thread.ofVirtual().name("controllers").start(this::begin);
    }

    /// Starts them; returns while they still read what there is.
    public static Controllers start(ApiEndpoint endpoint) {
        return new Controllers(endpoint);
    }

    private static List<Controller> build(Cluster cluster) {
        return List.of(
                new ReplicaSetController(cluster, Resource.REPLICA_SETS),
                new ReplicaSetController(cluster, Resource.REPLICATION_CONTROLLERS),
                new DeploymentController(cluster),
                new StatefulSetController(cluster),
                new DaemonSetController(cluster),
                new JobController(cluster),
                new CronJobController(cluster),
                new DisruptionController(cluster),
                new NodeController(cluster),
                new PodEvictor(cluster),
                new VolumeController(cluster),
                new EphemeralController(cluster),
                new ResourceClaimController(cluster),
                new ServiceAccountController(cluster),
                new GarbageCollector(cluster));
    }

    /// Nobody acts before everything was seen once: a collector would take what it has not seen for
    /// gone.
    private void begin() {
        try {
            informers.start();
            while (!informers.awaitSync(SYNC)) {
                LOG.warn("The controllers wait for the API server, which has not told everything");
            }
            all.forEach(Controller::start);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        starter.interrupt();
        all.reversed().forEach(Controller::close);
        informers.close();
        timer.close();
        client.close();
    }
}
