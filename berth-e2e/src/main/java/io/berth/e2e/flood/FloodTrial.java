package io.berth.e2e.flood;

import io.berth.e2e.ControlPlane;
import io.berth.e2e.HttpApi;
import io.berth.e2e.SchedulerProcess;
import io.berth.e2e.SchedulerProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// One scheduler on a real control plane, while a crowd is at its port and a pod is created now and
/// then. It leads, so that its lease can be lost.
public final class FloodTrial {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int WARM_UP = 50;
    private static final int NODES = 10;
    private static final String LEASE =
            "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler";
    private static final Pattern LOST = Pattern.compile("(?i)leader ?election lost|lost lease");

    private final ControlPlane plane;
    private final Duration length;

    /// @param length how long the crowd stays
    public FloodTrial(ControlPlane plane, Duration length) {
        this.plane = plane;
        this.length = length;
        HttpApi api = plane.admin();
        for (int i = 0; i < NODES; i++) {
            api.post("/api/v1/nodes", node(i)).ok();
        }
    }

    public FloodSample run(SchedulerProgram program, int clients)
            throws IOException, InterruptedException {
        String namespace = plane.freshNamespace();
        try (var scheduler = plane.start(program, "--leader-elect=true");
                var bindings = new Bindings(plane, namespace)) {
            scheduler.awaitHealthy();
            place(namespace, bindings, WARM_UP, "warm");
            String holder = holder();
            Process crowd = crowd(scheduler, clients);
            try {
                Map<String, Long> created = flood(namespace, crowd);
                bindings.await(created.keySet(), LIMIT);
                String told =
                        new String(crowd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                boolean kept =
                        scheduler.process().running()
                                && holder.equals(holder())
                                && scheduler.process().logLines().stream()
                                        .noneMatch(line -> LOST.matcher(line).find());
                return sample(bindings.delays(created), kept, told.strip().split(" "));
            } finally {
                crowd.destroyForcibly();
            }
        } finally {
            plane.admin()
                    .delete("/api/v1/namespaces/" + namespace + "/pods?gracePeriodSeconds=0")
                    .ok();
        }
    }

    private void place(String namespace, Bindings bindings, int pods, String name)
            throws InterruptedException {
        var created = new TreeMap<String, Long>();
        for (int i = 0; i < pods; i++) {
            created.put(create(namespace, name + "-" + i), System.nanoTime());
        }
        bindings.await(created.keySet(), LIMIT);
    }

    /// Creates pods as long as the crowd is there; when, by name.
    private Map<String, Long> flood(String namespace, Process crowd) throws InterruptedException {
        var created = new TreeMap<String, Long>();
        for (int i = 0; crowd.isAlive(); i++) {
            String name = "p-" + i;
            created.put(name, System.nanoTime());
            create(namespace, name);
            Thread.sleep(PAUSE);
        }
        return created;
    }

    private String create(String namespace, String name) {
        String pod =
                """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},
                 "spec":{"containers":[{"name":"c","image":"i"}]}}
                """
                        .formatted(name);
        plane.admin().post("/api/v1/namespaces/" + namespace + "/pods", pod).ok();
        return name;
    }

    private static String node(int i) {
        return """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-%d"},
         "status":{"allocatable":{"cpu":"64","memory":"256Gi","pods":"1000"},
                   "conditions":[{"type":"Ready","status":"True"}]}}
        """
                .formatted(i);
    }

    private String holder() {
        return plane.admin().get(LEASE).text("/spec/holderIdentity");
    }

    private Process crowd(SchedulerProcess scheduler, int clients) throws IOException {
        return new ProcessBuilder(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-Xmx1g",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Crowd.class.getName(),
                                Integer.toString(scheduler.api().server().getPort()),
                                Integer.toString(clients),
                                Long.toString(length.toSeconds())))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static FloodSample sample(double[] delays, boolean kept, String[] told) {
        return new FloodSample(
                delays[delays.length - 1],
                delays[delays.length / 2],
                delays.length,
                kept,
                Long.parseLong(told[0]),
                Long.parseLong(told[1]) + Long.parseLong(told[2]));
    }
}
