package io.berth.controllers.loop;

/// A part of the cluster that keeps one promise. Built before the informers start, started once
/// they have seen everything.
public interface Controller extends AutoCloseable {
    void start();

    @Override
    void close();
}
