package io.berth.app.option;

import io.berth.app.flag.ParsedFlags;
import java.util.Optional;

/// The flags of the group "deprecated" that a configuration file replaces, each only if it was
/// given.
public record DeprecatedFlags(
        Optional<Boolean> profiling,
        Optional<Boolean> contentionProfiling,
        Optional<String> kubeconfig,
        Optional<String> contentType,
        Optional<Float> queriesPerSecond,
        Optional<Integer> burst) {

    static DeprecatedFlags from(ParsedFlags flags) {
        return new DeprecatedFlags(
                flags.bool("profiling"),
                flags.bool("contention-profiling"),
                flags.value("kubeconfig"),
                flags.value("kube-api-content-type"),
                flags.number("kube-api-qps"),
                flags.integer("kube-api-burst").map(Math::toIntExact));
    }
}
