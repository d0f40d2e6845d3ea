package io.berth.bench.load;

import io.berth.e2e.ControlPlane;

/// Who places the pods of a trial.
interface Contestant {
    String name();

    /// Begins to place the pods of a namespace, and all others that there are.
    Run start(ControlPlane plane, String namespace) throws Exception;

    /// One life of a contestant; closed when its pods are placed.
    interface Run extends AutoCloseable {
        /// Places the pods that come to one more namespace, whose claims are there.
        void serve(String namespace);

        /// Whether it may still place something.
        boolean isAlive();

        /// Of its process; NaN where it has none of its own.
        double cpuSeconds();

        /// Of its process; NaN where it has none of its own.
        double peakRssMib();

        /// All of its life.
        Attempts attempts();

        /// Its last words, for the message about a failure.
        String lastWords();

        @Override
        void close();
    }
}
