package io.berth.engine.port;

/// How an attempt ended, as metrics name it.
public enum AttemptResult {
    SCHEDULED("scheduled"),
    UNSCHEDULABLE("unschedulable"),
    ERROR("error");

    private final String text;

    AttemptResult(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
