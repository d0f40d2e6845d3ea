package io.berth.e2e;

import java.util.concurrent.CountDownLatch;

/// `control-plane/run`: a throw-away control plane in the foreground, for a person.
public final class RunControlPlane {
    private RunControlPlane() {}

    public static void main(String[] apiServerFlags) throws InterruptedException {
        switch (Binaries.find()) {
            case Binaries.Missing(var remedy) -> {
                System.err.println(remedy);
                System.exit(1);
            }
            case Binaries.Found found -> {
                System.out.println("Starting etcd and kube-apiserver from " + found.folder());
                ControlPlane plane = start(found, apiServerFlags);
                tell(found, plane);
                // The interrupt ends the JVM, whose shutdown hook closes the control plane.
                new CountDownLatch(1).await();
            }
        }
    }

    private static ControlPlane start(Binaries.Found found, String[] apiServerFlags) {
        try {
            return ControlPlane.start(found, apiServerFlags);
        } catch (IllegalStateException e) {
            System.err.println(e.getMessage());
            System.exit(1);
            throw e;
        }
    }

    private static void tell(Binaries.Found found, ControlPlane plane) {
        System.out.printf(
                """

                API server   %s
                kubeconfig   %s
                scheduler's  %s
                logs         %s/*.log

                  export KUBECONFIG=%s
                  %s get nodes

                There are no nodes, no controllers and no scheduler. Ctrl-C stops and deletes everything.
                """,
                plane.url(),
                plane.adminKubeconfig(),
                plane.schedulerKubeconfig(),
                plane.folder(),
                plane.adminKubeconfig(),
                found.kubectl());
    }
}
