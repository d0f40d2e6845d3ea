package io.berth.engine.framework;

/// Where failures go that must not stop the work.
@FunctionalInterface
public interface FailureSink {
    void failed(String plugin, Throwable cause);
}
