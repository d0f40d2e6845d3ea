package io.berth.engine.queue;

/// Where in the queue a pod is.
public enum SubQueue {
    /// In no part of the queue: in flight, placed or gone.
    OUT("", ""),
    /// Ready to be tried.
    ACTIVE("Active", "active"),
    /// A plugin refused it lately, and something has happened since: waits out its backoff.
    BACKOFF("Backoff", "backoff"),
    /// Its attempt broke down: waits out its backoff.
    ERROR_BACKOFF("Backoff", "backoff"),
    /// Waits for an event that may help.
    PARKED("Unschedulable", "unschedulable");

    private final String logName;
    private final String metricName;

    SubQueue(String logName, String metricName) {
        this.logName = logName;
        this.metricName = metricName;
    }

    /// The name in logs, as upstream calls the queue.
    public String logName() {
        return logName;
    }

    /// The value of the label `queue` in metrics.
    public String metricName() {
        return metricName;
    }

    /// Whether a pod in this place stays away for a while after a failure.
    public boolean isBackoff() {
        return this == BACKOFF || this == ERROR_BACKOFF;
    }
}
