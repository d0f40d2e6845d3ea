package io.berth.app.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Configuration files that are wrong in one place, made from a good one by a seeded generator.
final class BrokenConfigurations {
    /// @param named what the message must name
    record Case(String what, String text, String named) {
        @Override
        public String toString() {
            return what;
        }
    }

    static final String GOOD =
            """
            {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
             "parallelism": 8, "percentageOfNodesToScore": 50,
             "podInitialBackoffSeconds": 2, "podMaxBackoffSeconds": 20,
             "enableProfiling": true, "enableContentionProfiling": false,
             "delayCacheUntilActive": false,
             "clientConnection": {"kubeconfig": "", "acceptContentTypes": "", "contentType": "application/json",
               "qps": 20, "burst": 40},
             "leaderElection": {"leaderElect": true, "leaseDuration": "20s", "renewDeadline": "10s",
               "retryPeriod": "3s", "resourceLock": "leases", "resourceName": "n", "resourceNamespace": "ns"},
             "profiles": [
               {"schedulerName": "first", "percentageOfNodesToScore": 10,
                "plugins": {"score": {"disabled": [{"name": "ImageLocality"}],
                  "enabled": [{"name": "TaintToleration", "weight": 5}]}},
                "pluginConfig": [
                  {"name": "NodeResourcesFit", "args": {"ignoredResources": ["example.com/a"],
                    "scoringStrategy": {"type": "MostAllocated", "resources": [{"name": "cpu", "weight": 3}]}}},
                  {"name": "InterPodAffinity", "args": {"hardPodAffinityWeight": 7}},
                  {"name": "PodTopologySpread", "args": {"defaultingType": "List", "defaultConstraints": [
                    {"maxSkew": 2, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"}]}},
                  {"name": "DefaultPreemption", "args": {"minCandidateNodesPercentage": 5,
                    "minCandidateNodesAbsolute": 50}},
                  {"name": "VolumeBinding", "args": {"bindTimeoutSeconds": 300}},
                  {"name": "NodeResourcesBalancedAllocation", "args": {"resources": [{"name": "cpu", "weight": 1}]}}]},
               {"schedulerName": "second"}],
             "extenders": [{"urlPrefix": "http://127.0.0.1:1/", "filterVerb": "filter",
               "prioritizeVerb": "prioritize", "weight": 2, "enableHTTPS": false, "httpTimeout": "1s",
               "nodeCacheCapable": true, "managedResources": [{"name": "example.com/foo", "ignoredByScheduler": true}],
               "ignorable": true}]}
            """;

    /// A field, values out of its range, and what the message names if not the field.
    private static final List<String> OUT_OF_RANGE =
            List.of(
                    "/parallelism -1",
                    "/percentageOfNodesToScore -1",
                    "/percentageOfNodesToScore 101",
                    "/podInitialBackoffSeconds -1",
                    "/podMaxBackoffSeconds 1",
                    "/clientConnection/burst -5",
                    "/leaderElection/leaseDuration \"5s\"",
                    "/leaderElection/leaseDuration \"-5s\"",
                    "/leaderElection/renewDeadline \"-1s\"",
                    "/leaderElection/renewDeadline \"3s\"",
                    "/leaderElection/retryPeriod \"-1s\"",
                    "/leaderElection/resourceLock \"endpoints\"",
                    "/profiles/0/schedulerName \"\"",
                    "/profiles/1/schedulerName \"first\"",
                    "/profiles/0/percentageOfNodesToScore 200",
                    "/profiles/0/percentageOfNodesToScore -3",
                    "/profiles/0/plugins/score/enabled/0/name \"Nope\" Nope",
                    "/profiles/0/plugins/score/enabled/0/name \"EBSLimits\" EBSLimits",
                    "/profiles/0/pluginConfig/0/args/scoringStrategy/type \"Best\"",
                    "/profiles/0/pluginConfig/0/args/scoringStrategy/resources/0/weight -1",
                    "/profiles/0/pluginConfig/0/args/scoringStrategy/resources/0/weight 101",
                    "/profiles/0/pluginConfig/1/args/hardPodAffinityWeight 101",
                    "/profiles/0/pluginConfig/1/args/hardPodAffinityWeight -1",
                    "/profiles/0/pluginConfig/1/name \"NodeResourcesFit\" pluginConfig",
                    "/profiles/0/pluginConfig/2/args/defaultingType \"Systems\"",
                    "/profiles/0/pluginConfig/2/args/defaultingType \"System\" defaultConstraints",
                    "/profiles/0/pluginConfig/2/args/defaultConstraints/0/maxSkew 0",
                    "/profiles/0/pluginConfig/2/args/defaultConstraints/0/topologyKey \"\"",
                    "/profiles/0/pluginConfig/2/args/defaultConstraints/0/whenUnsatisfiable \"\"",
                    "/profiles/0/pluginConfig/2/args/defaultConstraints/0/whenUnsatisfiable \"Never\"",
                    "/profiles/0/pluginConfig/3/args/minCandidateNodesPercentage 101",
                    "/profiles/0/pluginConfig/3/args/minCandidateNodesPercentage -1",
                    "/profiles/0/pluginConfig/3/args/minCandidateNodesAbsolute -1",
                    "/profiles/0/pluginConfig/4/args/bindTimeoutSeconds -1 bindTimeoutSeconds",
                    "/profiles/0/pluginConfig/5/args/resources/0/weight 2",
                    "/extenders/0/weight 0",
                    "/extenders/0/weight -1",
                    "/extenders/0/managedResources/0/name \"cpu\" cpu",
                    "/extenders/0/managedResources/0/name \"\" managedResources",
                    "/apiVersion \"kubescheduler.config.k8s.io/v2\" v2",
                    "/apiVersion \"v1\" v1",
                    "/kind \"Policies\" Policies");

    private static final ObjectMapper JSON = new ObjectMapper();

    private BrokenConfigurations() {}

    static List<Case> cases(Random random) throws Exception {
        var cases = new ArrayList<Case>();
        for (String line : OUT_OF_RANGE) {
            String[] words = line.split(" ", 3);
            String field = words[0].substring(words[0].lastIndexOf('/') + 1);
            cases.add(changed(words[0], words[1], words.length == 3 ? words[2] : field));
        }
        for (String path : paths(JSON.readTree(GOOD), "")) {
            wrongTypes(random, path, cases);
        }
        for (int i = 0; i < 60; i++) {
            cases.add(unknownField(random));
        }
        return cases;
    }

    /// A value of a type that the field does not have.
    private static void wrongTypes(Random random, String path, List<Case> cases) throws Exception {
        String field = path.substring(path.lastIndexOf('/') + 1);
        if (path.equals("/apiVersion") || path.equals("/kind")) {
            return;
        }
        JsonNode value = JSON.readTree(GOOD).at(path);
        List<String> others =
                new ArrayList<>(
                        value.isTextual()
                                ? List.of("7", "true", "[]", "{}")
                                : value.isNumber()
                                        ? List.of("\"x\"", "true", "[1]", "{\"a\":1}", "1e400")
                                        : value.isBoolean()
                                                ? List.of("\"true\"", "1", "[]", "{}")
                                                : value.isArray()
                                                        ? List.of("\"x\"", "1", "true")
                                                        : List.of("\"x\"", "1", "true", "[]"));
        String named = Character.isDigit(field.charAt(0)) ? "" : field;
        cases.add(changed(path, others.get(random.nextInt(others.size())), named));
        cases.add(changed(path, others.get(random.nextInt(others.size())), named));
    }

    private static Case changed(String path, String value, String named) throws Exception {
        JsonNode tree = JSON.readTree(GOOD);
        int slash = path.lastIndexOf('/');
        JsonNode parent = tree.at(path.substring(0, slash));
        String last = path.substring(slash + 1);
        // The number beyond all numbers has to survive as text.
        String mark = "@@@";
        if (parent instanceof ArrayNode list) {
            list.set(Integer.parseInt(last), mark);
        } else {
            ((ObjectNode) parent).put(last, mark);
        }
        String text = JSON.writeValueAsString(tree).replace('"' + mark + '"', value);
        return new Case(path + " = " + value, text, named);
    }

    private static Case unknownField(Random random) throws Exception {
        JsonNode tree = JSON.readTree(GOOD);
        List<String> objects =
                paths(tree, "").stream().filter(path -> tree.at(path).isObject()).toList();
        String path = objects.get(random.nextInt(objects.size()));
        String name = "field" + random.nextInt(1000);
        ((ObjectNode) tree.at(path)).put(name, 1);
        return new Case(path + "/" + name + " is unknown", tree.toString(), name);
    }

    private static List<String> paths(JsonNode node, String path) {
        var paths = new ArrayList<String>();
        if (!path.isEmpty()) {
            paths.add(path);
        }
        if (node instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                paths.addAll(paths(list.get(i), path + "/" + i));
            }
        }
        node.properties()
                .forEach(entry ->
                        paths.addAll(paths(entry.getValue(), path + "/" + entry.getKey())));
        return paths;
    }
}
