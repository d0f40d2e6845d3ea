package io.berth.config;

import io.berth.api.amount.GoDuration;
import io.berth.config.ConfigurationReader.Loaded;
import io.berth.config.gate.FeatureGates;
import io.berth.config.schema.ConfigurationTypes;
import io.berth.config.schema.SpellingOf;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.Documents;
import io.berth.config.text.Documents.Document;
import io.berth.config.text.Problems;
import io.berth.config.text.TextException;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Scheduling policies of kube-scheduler 1.20 to 1.22, from a file or a ConfigMap: predicates and
/// priorities instead of plugins (rules P-113 to P-119).
public final class LegacyPolicy {
    /// Where a ConfigMap holds the policy.
    public static final String CONFIG_MAP_KEY = "policy.cfg";

    private static final String DEPRECATED =
            "Policy is deprecated since v1.19 and was removed in v1.23; use a"
                    + " KubeSchedulerConfiguration instead (--write-config-to writes the equivalent one)";

    private final FeatureGates gates;

    public LegacyPolicy(FeatureGates gates) {
        this.gates = gates;
    }

    /// @param base the configuration whose profiles take on the policy
    /// @throws ConfigurationException where the file cannot be read or used
    public Loaded fromFile(Path file, SchedulerConfiguration base) throws ConfigurationException {
        if (!Files.exists(file)) {
            throw new ConfigurationException("missing policy config file " + file);
        }
        byte[] text;
        try {
            text = FileText.read(file);
        } catch (ConfigurationException unreadable) {
            throw new ConfigurationException(
                    "couldn't read policy config: " + unreadable.getMessage());
        }
        return from(text, base);
    }

    /// @param data of the ConfigMap
    /// @throws ConfigurationException where it holds no policy that can be used
    public Loaded fromConfigMap(Map<String, String> data, SchedulerConfiguration base)
            throws ConfigurationException {
        var text = data.get(CONFIG_MAP_KEY);
        if (text == null) {
            throw new ConfigurationException(
                    "missing policy config map value at key \"" + CONFIG_MAP_KEY + "\"");
        }
        return from(text.getBytes(StandardCharsets.UTF_8), base);
    }

    /// The complaint for a ConfigMap that could not be fetched.
    public static ConfigurationException unavailable(String namespace, String name, String cause) {
        return new ConfigurationException(
                "couldn't get policy config map %s/%s: %s".formatted(namespace, name, cause));
    }

    private Loaded from(byte[] text, SchedulerConfiguration base) throws ConfigurationException {
        Fields policy;
        try {
            policy = decoded(text);
        } catch (ConfigurationException malformed) {
            throw new ConfigurationException("invalid policy: " + malformed.getMessage());
        }
        try {
            return applied(policy, base);
        } catch (ConfigurationException unusable) {
            throw new ConfigurationException(
                    "couldn't create scheduler from policy: " + unusable.getMessage());
        }
    }

    private static Fields decoded(byte[] text) throws ConfigurationException {
        Document document;
        try {
            document = Documents.read(text);
        } catch (TextException malformed) {
            throw new ConfigurationException(malformed.sentence());
        }
        var header = Header.of(document.value(), text);
        boolean known =
                header.version().equals("v1") || header.version().equals(SchedulerConfiguration.V1);
        if (!known || !header.kind().equals("Policy")) {
            throw new ConfigurationException(Header.unregistered(header.kind(), header.version()));
        }
        // Policies were read without regard to upper and lower case.
        var spelled =
                document.value() instanceof Fields fields
                        ? SpellingOf.type(fields, ConfigurationTypes.POLICY)
                        : Fields.EMPTY;
        var decoding = new Decoding(new Document(spelled, document.json()), header.version());
        decoding.require(ConfigurationTypes.POLICY, Map.of());
        return spelled;
    }

    private Loaded applied(Fields policy, SchedulerConfiguration base)
            throws ConfigurationException {
        var problems = new Problems();
        var extenders = policy.objects("extenders").stream().map(LegacyPolicy::extender).toList();
        PolicyChecks.check(policy, extenders, problems);
        problems.throwIfAny();
        var translation = new PolicyTranslation(gates, problems);
        var profile = translation.profile(policy);
        problems.throwIfAny();
        var profiles = new ArrayList<ProfileConfiguration>();
        var completion = new ProfileCompletion(gates);
        for (var each : base.profiles()) {
            profiles.add(completion.profile(profile, each));
        }
        var configuration =
                base.withProfiles(profiles)
                        .withPolicy(extenders, policy.flag("alwaysCheckAllPredicates", false));
        return new Loaded(configuration, List.of(DEPRECATED), List.of());
    }

    private static ExtenderConfiguration extender(Fields legacy) {
        var nanos = Duration.ofNanos(legacy.number("httpTimeout", 0));
        return ExtenderConfiguration.of(
                legacy.with("enableHTTPS", Value.of(legacy.flag("enableHttps", false)))
                        .with("httpTimeout", Value.of(GoDuration.format(nanos))));
    }
}
