package io.berth.up;

import io.berth.app.StopSignal;
import java.util.List;

/// How the user sees the cluster.
interface Display {
    /// Takes something that happened. Called by watches; must not block for long.
    void happened(ClusterPicture.Happening happening);

    /// Shows the cluster until it is to stop.
    void run(List<String> header, ClusterPicture picture, StopSignal stop)
            throws InterruptedException;
}
