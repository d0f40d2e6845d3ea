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
public record EngineSettings(
        List<ProfileSettings> profiles,
        QueueSettings queue,
        OptionalInt percentageOfNodesToScore,
        Set<Kind> awaitedKinds,
        int mailboxCapacity) {
    public static final int MAILBOX_CAPACITY = 10_000;

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
                MAILBOX_CAPACITY);
    }

    public EngineSettings awaiting(Set<Kind> kinds) {
        return new EngineSettings(
                profiles, queue, percentageOfNodesToScore, kinds, mailboxCapacity);
    }

    public EngineSettings withQueue(QueueSettings settings) {
        return new EngineSettings(
                profiles, settings, percentageOfNodesToScore, awaitedKinds, mailboxCapacity);
    }
}
