package io.berth.api.plugin;

/// A piece of scheduling policy: implements one or more of the extension points of this package.
///
/// One instance serves one profile. Unless an extension point says otherwise, its methods are
/// called on the engine thread. A method that throws fails the attempt of that pod, never the
/// process.
public interface Plugin {
    /// The name in configuration files, metrics and messages.
    String name();
}
