package io.berth.engine;

import io.berth.api.model.Kind;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.queue.QueueSettings;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/// How an engine is to work.
///
/// @param percentageOfNodesToScore for profiles that do not set their own; empty: as many as is
///   cheap
/// @param awaitedKinds kinds whose first complete list must have come before the first attempt
/// @param bindingLine while so many bindings wait for the API server, no further pod is tried
/// @param features gates that are on, for plugins that ask
public record EngineSettings(
        List<ProfileSettings> profiles,
        QueueSettings queue,
        OptionalInt percentageOfNodesToScore,
        Set<Kind> awaitedKinds,
        int mailboxCapacity,
        int bindingLine,
        Set<String> features) {
    public static final int MAILBOX_CAPACITY = 10_000;
    public static final int BINDING_LINE = 100;

    public EngineSettings {
        profiles = List.copyOf(profiles);
        awaitedKinds = Set.copyOf(awaitedKinds);
        features = Set.copyOf(features);
    }

    public static EngineSettings of(List<ProfileSettings> profiles) {
        return new EngineSettings(
                profiles,
                QueueSettings.DEFAULT,
                OptionalInt.empty(),
                Set.of(Kind.values()),
                MAILBOX_CAPACITY,
                BINDING_LINE,
                Set.of());
    }

    public EngineSettings withProfiles(List<ProfileSettings> others) {
        return new EngineSettings(
                others,
                queue,
                percentageOfNodesToScore,
                awaitedKinds,
                mailboxCapacity,
                bindingLine,
                features);
    }

    public EngineSettings awaiting(Set<Kind> kinds) {
        return new EngineSettings(
                profiles,
                queue,
                percentageOfNodesToScore,
                kinds,
                mailboxCapacity,
                bindingLine,
                features);
    }

    public EngineSettings withQueue(QueueSettings settings) {
        return new EngineSettings(
                profiles,
                settings,
                percentageOfNodesToScore,
                awaitedKinds,
                mailboxCapacity,
                bindingLine,
                features);
    }

    public EngineSettings withPercentageOfNodesToScore(OptionalInt percentage) {
        return new EngineSettings(
                profiles, queue, percentage, awaitedKinds, mailboxCapacity, bindingLine, features);
    }

    public EngineSettings withMailboxCapacity(int capacity) {
        return new EngineSettings(
                profiles,
                queue,
                percentageOfNodesToScore,
                awaitedKinds,
                capacity,
                bindingLine,
                features);
    }

    public EngineSettings withBindingLine(int length) {
        return new EngineSettings(
                profiles,
                queue,
                percentageOfNodesToScore,
                awaitedKinds,
                mailboxCapacity,
                length,
                features);
    }

    public EngineSettings withFeatures(Set<String> gates) {
        return new EngineSettings(
                profiles,
                queue,
                percentageOfNodesToScore,
                awaitedKinds,
                mailboxCapacity,
                bindingLine,
                gates);
    }
}
