package io.berth.controllers.loop;

/// Compares what is wanted of an object with what is, and does something about it.
///
/// It may be called at any time and again: it looks at everything anew and relies on nothing that
/// happened before.
@FunctionalInterface
public interface Reconciler {
    /// @throws io.berth.controllers.client.ApiFailure to be called again after a pause
    void reconcile(String key);
}
