package io.berth.serving.page;

/// Is told how each health check went, for the metrics about them.
public interface HealthObserver {
    HealthObserver NONE = (check, endpoint, passed) -> {};

    /// @param endpoint `healthz`, `livez` or `readyz`
    void checked(String check, String endpoint, boolean passed);
}
