package io.berth.bench.load;

import io.berth.e2e.ControlPlane;

/// Who places the pods of a trial.
interface Contestant {
    String name();

    /// Begins to place the pods of a namespace, and all others that there are.
    Run start(ControlPlane plane, String namespace) throws Exception;

    /// One life of a contestant; closed when its pods are placed.
    interface Run extends AutoCloseable {
        /// Of its process; NaN where it has none of its own.
        double cpuSeconds();

        /// Of its process; NaN where it has none of its own.
        double peakRssMib();

        /// The mean time of an attempt; NaN where it does not tell.
        double algorithmMicros();

        /// Its last words, for the message about a failure.
        String lastWords();

        @Override
        void close();
    }
}
