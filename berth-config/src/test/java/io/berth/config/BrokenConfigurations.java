package io.berth.config;

import io.berth.config.text.Documents;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.TextException;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Flag;
import io.berth.config.text.Value.Items;
import io.berth.config.text.Value.Nothing;
import io.berth.config.text.Value.Numeral;
import io.berth.config.text.Value.Text;
import io.berth.config.text.YamlWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

/// Configurations that are broken in one place, made from good ones by changing that place. The
/// same seed gives the same files.
public final class BrokenConfigurations {
    private static final String GOOD =
            """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            parallelism: 8
            enableProfiling: true
            enableContentionProfiling: true
            percentageOfNodesToScore: 50
            podInitialBackoffSeconds: 2
            podMaxBackoffSeconds: 20
            delayCacheUntilActive: true
            leaderElection:
              leaderElect: true
              leaseDuration: 15s
              renewDeadline: 10s
              retryPeriod: 2s
              resourceLock: leases
              resourceName: kube-scheduler
              resourceNamespace: kube-system
            clientConnection:
              kubeconfig: /etc/kubernetes/scheduler.conf
              acceptContentTypes: application/json
              contentType: application/json
              qps: 50
              burst: 100
            profiles:
            - schedulerName: one
              percentageOfNodesToScore: 10
              plugins:
                multiPoint:
                  enabled: [{name: ImageLocality, weight: 3}]
                  disabled: [{name: NodePorts}]
                score:
                  enabled: [{name: NodeAffinity, weight: 5}]
                  disabled: [{name: ImageLocality}]
                filter:
                  disabled: [{name: NodeName}]
              pluginConfig:
              - name: DefaultPreemption
                args:
                  apiVersion: kubescheduler.config.k8s.io/v1
                  kind: DefaultPreemptionArgs
                  minCandidateNodesPercentage: 10
                  minCandidateNodesAbsolute: 100
              - name: InterPodAffinity
                args: {hardPodAffinityWeight: 5, ignorePreferredTermsOfExistingPods: true}
              - name: NodeAffinity
                args:
                  addedAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                      nodeSelectorTerms:
                      - matchExpressions: [{key: zone, operator: In, values: [a, b]}]
                        matchFields: [{key: metadata.name, operator: In, values: [node-a]}]
                    preferredDuringSchedulingIgnoredDuringExecution:
                    - weight: 5
                      preference: {matchExpressions: [{key: disk, operator: Exists}]}
              - name: NodeResourcesFit
                args:
                  ignoredResources: [x.org/a]
                  ignoredResourceGroups: [x.org]
                  scoringStrategy:
                    type: RequestedToCapacityRatio
                    resources: [{name: cpu, weight: 3}]
                    requestedToCapacityRatio:
                      shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}]
              - name: NodeResourcesBalancedAllocation
                args: {resources: [{name: cpu, weight: 1}]}
              - name: PodTopologySpread
                args:
                  defaultingType: List
                  defaultConstraints:
                  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, minDomains: 2}
              - name: VolumeBinding
                args: {bindTimeoutSeconds: 60}
              - name: DynamicResources
                args: {filterTimeout: 5s, bindingTimeout: 30s}
            - schedulerName: two
            extenders:
            - urlPrefix: http://127.0.0.1:8888/
              filterVerb: filter
              preemptVerb: preempt
              prioritizeVerb: prioritize
              bindVerb: bind
              weight: 5
              enableHTTPS: false
              httpTimeout: 5s
              nodeCacheCapable: true
              ignorable: true
              managedResources: [{name: x.org/a, ignoredByScheduler: true}]
              tlsConfig: {insecure: false, serverName: a, certFile: b, keyFile: c, caFile: d, caData: YQ==}
            """;

    private static final String OLD =
            """
            apiVersion: kubescheduler.config.k8s.io/v1beta2
            kind: KubeSchedulerConfiguration
            parallelism: 8
            healthzBindAddress: 127.0.0.1:0
            leaderElection: {leaderElect: true, leaseDuration: 20s}
            profiles:
            - schedulerName: old
              plugins:
                score: {enabled: [{name: NodeAffinity, weight: 5}], disabled: [{name: ImageLocality}]}
              pluginConfig:
              - {name: InterPodAffinity, args: {hardPodAffinityWeight: 5}}
            extenders:
            - {urlPrefix: "http://127.0.0.1:8888/", filterVerb: filter}
            """;

    /// Fields with values that are of the right type and yet wrong.
    private static final List<Bad> BAD =
            List.of(
                    new Bad("parallelism", "0", "-1"),
                    new Bad("percentageOfNodesToScore", "-1", "101"),
                    new Bad("podInitialBackoffSeconds", "0", "-5"),
                    new Bad("podMaxBackoffSeconds", "1", "0", "-1"),
                    new Bad("leaseDuration", "-1s", "10s", "1x", "soon"),
                    new Bad("renewDeadline", "-1s", "5", "1 s"),
                    new Bad("retryPeriod", "-1s", "s"),
                    new Bad("resourceLock", "endpoints", "configmaps"),
                    new Bad("burst", "-1"),
                    new Bad("schedulerName", "\"\""),
                    new Bad("minCandidateNodesPercentage", "-1", "101"),
                    new Bad("minCandidateNodesAbsolute", "-1"),
                    new Bad("hardPodAffinityWeight", "-1", "101"),
                    new Bad("operator", "Like", "\"\""),
                    new Bad("type", "Foo", "\"\"", "LeastAllocated"),
                    new Bad("utilization", "-1", "101"),
                    new Bad("score", "-1", "11"),
                    new Bad("defaultingType", "System", "Both"),
                    new Bad("maxSkew", "0", "-1"),
                    new Bad("topologyKey", "\"\"", "\"a b\"", "a/b/c"),
                    new Bad("whenUnsatisfiable", "\"\"", "Maybe"),
                    new Bad("bindTimeoutSeconds", "-1"),
                    new Bad("filterTimeout", "-1s", "1y"),
                    new Bad("bindingTimeout", "0s", "999ms"),
                    new Bad("httpTimeout", "5", "\"5\"", "fast"),
                    new Bad("caData", "\"?\"", "abc"),
                    new Bad("apiVersion", "v1", "kubescheduler.config.k8s.io/v0", "a/b/c"),
                    new Bad("kind", "Pod", "DefaultPreemptionArgs"));

    private record Bad(String field, List<String> values) {
        Bad(String field, String... values) {
            this(field, List.of(values));
        }
    }

    /// @param name for reports
    /// @param names what the complaint must contain
    public record Broken(String name, String text, String names) {
        @Override
        public String toString() {
            return name;
        }
    }

    private final Random random;
    private final List<Broken> broken = new ArrayList<>();

    private BrokenConfigurations(long seed) {
        this.random = new Random(seed);
    }

    /// Some hundreds of them, in an order that the seed decides.
    public static List<Broken> of(long seed) {
        var configurations = new BrokenConfigurations(seed);
        configurations.change(GOOD, "v1");
        configurations.change(OLD, "v1beta2");
        configurations.cut();
        configurations.badValues();
        Collections.shuffle(configurations.broken, configurations.random);
        return List.copyOf(configurations.broken);
    }

    /// The files that the broken ones were made from.
    public static List<String> good() {
        return List.of(GOOD, OLD);
    }

    private void change(String good, String label) {
        var root = parsed(good);
        for (var path : paths(root)) {
            var key = path.getLast().toString();
            var where = label + " " + path;
            if (path.getLast() instanceof String) {
                add(where + " misspelt", renamed(root, path, key + "X"), key.substring(1));
                var upper =
                        key.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + key.substring(1);
                if (random.nextBoolean()) {
                    add(where + " in another case", renamed(root, path, upper), upper.substring(1));
                }
            }
            var field =
                    path.getLast() instanceof String ? key : path.get(path.size() - 2).toString();
            add(where + " of another type", changed(root, path, this::otherType), field);
        }
        repeated(good, label);
    }

    /// Every line that holds a scalar, twice.
    private void repeated(String good, String label) {
        var lines = YamlWriter.write(parsed(good)).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i);
            int colon = line.indexOf(": ");
            if (colon > 0 && !line.stripLeading().startsWith("-")) {
                var twice = new ArrayList<>(lines);
                twice.add(i + 1, line);
                var key = line.substring(0, colon).strip();
                broken.add(
                        new Broken(
                                label + " line " + (i + 1) + " twice",
                                String.join("\n", twice) + "\n",
                                key));
            }
        }
    }

    /// A file that ends too early.
    private void cut() {
        var json = JsonWriter.write(parsed(GOOD));
        for (int i = 0; i < 20; i++) {
            int end = 1 + random.nextInt(json.length() - 2);
            broken.add(new Broken("JSON cut at " + end, json.substring(0, end), ""));
        }
    }

    private void badValues() {
        var lines = GOOD.lines().toList();
        for (var bad : BAD) {
            for (var value : bad.values) {
                broken.add(
                        new Broken(
                                bad.field + " = " + value,
                                withFirst(lines, bad.field, value),
                                bad.field.equals("kind") || bad.field.equals("apiVersion")
                                        ? value
                                        : bad.field));
            }
        }
    }

    private static String withFirst(List<String> lines, String field, String value) {
        var text = String.join("\n", lines) + "\n";
        return text.replaceFirst(
                "(?m)(\\b" + field + ": )([^,}\\n]*)",
                "$1" + java.util.regex.Matcher.quoteReplacement(value));
    }

    private Value otherType(Value value) {
        return switch (value) {
            case Fields fields -> Value.of("oops");
            case Items items -> random.nextBoolean() ? Value.of("oops") : Value.of(true);
            case Text text -> random.nextBoolean() ? Value.of(List.of()) : Value.of(7);
            case Numeral number ->
                    random.nextBoolean() ? Value.of("many") : new Numeral("1e+60", 0);
            case Flag flag -> random.nextBoolean() ? Value.of("maybe") : Value.of(1);
            case Nothing nothing -> Value.of("oops");
        };
    }

    private void add(String name, Value root, String names) {
        boolean asJson = random.nextInt(4) == 0;
        broken.add(
                new Broken(
                        name + (asJson ? ", JSON" : ""),
                        asJson ? JsonWriter.write(root) : YamlWriter.write(root),
                        names));
    }

    /// The way to every value: field names and list positions.
    private static List<List<Object>> paths(Value value) {
        var paths = new ArrayList<List<Object>>();
        collect(value, List.of(), paths);
        return paths;
    }

    private static void collect(Value value, List<Object> path, List<List<Object>> paths) {
        if (!path.isEmpty()) {
            paths.add(path);
        }
        if (value instanceof Fields fields) {
            fields.entries().forEach((key, inner) -> collect(inner, longer(path, key), paths));
        } else if (value instanceof Items items) {
            for (int i = 0; i < items.items().size(); i++) {
                collect(items.items().get(i), longer(path, i), paths);
            }
        }
    }

    private static List<Object> longer(List<Object> path, Object step) {
        var longer = new ArrayList<>(path);
        longer.add(step);
        return longer;
    }

    private static Value changed(Value value, List<Object> path, UnaryOperator<Value> change) {
        if (path.isEmpty()) {
            return change.apply(value);
        }
        var rest = path.subList(1, path.size());
        return switch (value) {
            case Fields fields -> {
                var key = (String) path.getFirst();
                var inner = fields.entries().getOrDefault(key, new Nothing(0));
                yield fields.with(key, changed(inner, rest, change));
            }
            case Items items -> {
                var changed = new ArrayList<>(items.items());
                int index = (Integer) path.getFirst();
                changed.set(index, changed(changed.get(index), rest, change));
                yield Value.of(changed);
            }
            default -> throw new IllegalStateException("no such path " + path);
        };
    }

    private static Value renamed(Value root, List<Object> path, String name) {
        var key = path.getLast().toString();
        return changed(
                root,
                path.subList(0, path.size() - 1),
                parent -> {
                    var entries = new LinkedHashMap<>(((Fields) parent).entries());
                    var value = entries.remove(key);
                    entries.put(name, value == null ? new Nothing(0) : value);
                    return Value.of(entries);
                });
    }

    private static Value parsed(String text) {
        try {
            return Documents.read(text.getBytes(StandardCharsets.UTF_8)).value();
        } catch (TextException broken) {
            throw new IllegalStateException(broken);
        }
    }
}
