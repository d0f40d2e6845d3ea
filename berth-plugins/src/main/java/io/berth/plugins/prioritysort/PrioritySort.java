package io.berth.plugins.prioritysort;

import io.berth.api.plugin.QueueSort;

/// The more important pod first; among equals the one that has waited longer.
public final class PrioritySort implements QueueSort {
    public static final String NAME = "PrioritySort";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean less(QueuedPod a, QueuedPod b) {
        int ours = a.pod().spec().priority();
        int theirs = b.pod().spec().priority();
        return ours > theirs || ours == theirs && a.timestampMillis() < b.timestampMillis();
    }
}
