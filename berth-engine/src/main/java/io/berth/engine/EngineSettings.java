package io.berth.engine;

import io.berth.api.model.Kind;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.queue.QueueSettings;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/// How an engine is to work.
///
/// @param percentageOfNodesToScore for profiles that do not set their own; empty: as many as is
///   cheap
/// @param awaitedKinds kinds whose first complete list must have come before the first attempt
/// @param bindingLine while so many bindings wait for the API server, no further pod is tried
public record EngineSettings(
        List<ProfileSettings> profiles,
        QueueSettings queue,
        OptionalInt percentageOfNodesToScore,
        Set<Kind> awaitedKinds,
        int mailboxCapacity,
        int bindingLine) {
    public static final int MAILBOX_CAPACITY = 10_000;
    public static final int BINDING_LINE = 100;

    public EngineSettings {
        profiles = List.copyOf(profiles);
        awaitedKinds = Set.copyOf(awaitedKinds);
    }

    public static EngineSettings of(List<ProfileSettings> profiles) {
        return new EngineSettings(
                profiles,
                QueueSettings.DEFAULT,
                OptionalInt.empty(),
                EnumSet.allOf(Kind.class),
                MAILBOX_CAPACITY,
                BINDING_LINE);
    }

    public EngineSettings awaiting(Set<Kind> kinds) {
        return new EngineSettings(
                profiles, queue, percentageOfNodesToScore, kinds, mailboxCapacity, bindingLine);
    }

    public EngineSettings withQueue(QueueSettings settings) {
        return new EngineSettings(
                profiles,
                settings,
                percentageOfNodesToScore,
                awaitedKinds,
                mailboxCapacity,
                bindingLine);
    }

    public EngineSettings withPercentageOfNodesToScore(OptionalInt percentage) {
        return new EngineSettings(
                profiles, queue, percentage, awaitedKinds, mailboxCapacity, bindingLine);
    }

    public EngineSettings withBindingLine(int length) {
        return new EngineSettings(
                profiles, queue, percentageOfNodesToScore, awaitedKinds, mailboxCapacity, length);
    }
}
