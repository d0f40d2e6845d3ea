package io.berth.kube.write;

import io.berth.api.handle.Recorder;
import io.berth.api.model.Pod;

/// An event in the old form (core/v1): for what is no pod, and for servers without the new one.
///
/// @param component who speaks
public record LegacyEvent(
        Subject about, Recorder.Type type, String reason, String message, String component) {

    /// What an event is about.
    public record Subject(
            String kind,
            String apiVersion,
            String namespace,
            String name,
            String uid,
            String resourceVersion) {

        static Subject of(Pod pod) {
            return new Subject(
                    "Pod", "v1", pod.namespace(), pod.name(), pod.uid(), pod.resourceVersion());
        }

        /// Everything but the version, which the old form does not look at.
        String identity() {
            return String.join("\0", kind, namespace, name, uid, apiVersion);
        }
    }

    /// The old form has no action and no second object (P-157).
    static LegacyEvent of(Recorder.Event event) {
        return new LegacyEvent(
                Subject.of(event.about()),
                event.type(),
                event.reason(),
                event.note(),
                event.controller());
    }

    LegacyEvent withMessage(String other) {
        return new LegacyEvent(about, type, reason, other, component);
    }
}
