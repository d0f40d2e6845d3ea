package io.berth.engine.profile;

import io.berth.api.handle.Handle;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.framework.SettingsException;
import io.berth.engine.search.SearchContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Builds the profiles of a process and checks that they go together (rule E-130).
public final class Profiles {
    private Profiles() {}

    /// @param handles makes the handle of a profile by its scheduler name
    /// @throws SettingsException where a profile, or their combination, cannot work
    public static Map<String, Profile> build(
            List<ProfileSettings> settings,
            Registry registry,
            Function<String, Handle> handles,
            SearchContext context,
            OptionalInt globalPercentage) {
        try {
            return all(settings, registry, handles, context, globalPercentage);
        } catch (SettingsException broken) {
            throw new SettingsException("initializing profiles: " + broken.getMessage(), broken);
        }
    }

    private static Map<String, Profile> all(
            List<ProfileSettings> settings,
            Registry registry,
            Function<String, Handle> handles,
            SearchContext context,
            OptionalInt globalPercentage) {
        if (settings.isEmpty()) {
            throw new SettingsException("at least one profile is required");
        }
        var profiles = new LinkedHashMap<String, Profile>();
        @Nullable Profile first = null;
        for (var one : settings) {
            var name = one.schedulerName();
            if (name.isEmpty()) {
                throw new SettingsException("scheduler name is needed");
            }
            if (profiles.containsKey(name)) {
                throw new SettingsException(
                        "duplicate profile with scheduler name \"%s\"".formatted(name));
            }
            var profile = build(one, registry, handles.apply(name), context, globalPercentage);
            if (first == null) {
                first = profile;
            } else {
                requireSameSort(first, profile, settings.getFirst(), one);
            }
            context.log()
                    .info(
                            2,
                            "the scheduler starts to work with those plugins",
                            "Plugins",
                            profile.pluginNames());
            profiles.put(name, profile);
        }
        return profiles;
    }

    private static Profile build(
            ProfileSettings settings,
            Registry registry,
            Handle handle,
            SearchContext context,
            OptionalInt globalPercentage) {
        try {
            return Profile.build(settings, registry, handle, context, globalPercentage);
        } catch (SettingsException broken) {
            throw new SettingsException(
                    "creating profile for scheduler name %s: %s"
                            .formatted(settings.schedulerName(), broken.getMessage()),
                    broken);
        }
    }

    /// There is one queue, so there is one order.
    private static void requireSameSort(
            Profile first, Profile other, ProfileSettings firstSettings, ProfileSettings settings) {
        var firstSort = first.queueSort().name();
        var sort = other.queueSort().name();
        if (!sort.equals(firstSort)) {
            throw new SettingsException(
                    "different queue sort plugins for profile \"%s\": \"%s\", first: \"%s\""
                            .formatted(other.name(), sort, firstSort));
        }
        if (!java.util.Objects.equals(
                firstSettings.arguments().get(firstSort), settings.arguments().get(sort))) {
            throw new SettingsException(
                    "different queue sort plugin args for profile \"%s\"".formatted(other.name()));
        }
    }
}
