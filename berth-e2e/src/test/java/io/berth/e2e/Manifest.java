package io.berth.e2e;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Objects of a test in short: what matters in it is said, the rest is the plainest node or pod
/// there is. The part that is said is JSON without needless quotes: `{spec: {unschedulable:
/// true}}`.
final class Manifest {
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
                    .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
                    .build();

    private Manifest() {}

    /// A node with 10 processors, 10 Gi and 110 places, unless its status says otherwise.
    static String node(String name, String said) {
        var room = "{cpu: '10', memory: '10Gi', pods: '110'}";
        var plain =
                """
                {apiVersion: 'v1', kind: 'Node',
                 metadata: {name: '%1$s', labels: {'kubernetes.io/hostname': '%1$s'}},
                 status: {capacity: %2$s, allocatable: %2$s,
                          conditions: [{type: 'Ready', status: 'True'}]}}
                """
                        .formatted(name, room);
        return merge(parse(plain), parse(said)).toString();
    }

    /// A pod with one container that requests `resources`, for example `{cpu: '1'}`.
    static String pod(String name, String resources, String said) {
        var plain =
                """
                {apiVersion: 'v1', kind: 'Pod', metadata: {name: '%s'},
                 spec: {terminationGracePeriodSeconds: 0,
                        containers: [{name: 'main', image: 'example/main:1',
                                      resources: {requests: %s}}]}}
                """
                        .formatted(name, resources);
        return merge(parse(plain), parse(said)).toString();
    }

    /// Any other object, with all that it needs.
    static String of(String said) {
        return parse(said).toString();
    }

    /// Objects are merged field by field; everything else is replaced.
    private static ObjectNode merge(ObjectNode base, ObjectNode said) {
        said.properties()
                .forEach(field -> {
                    if (base.get(field.getKey()) instanceof ObjectNode inner
                            && field.getValue() instanceof ObjectNode more) {
                        merge(inner, more);
                    } else {
                        base.set(field.getKey(), field.getValue());
                    }
                });
        return base;
    }

    private static ObjectNode parse(String said) {
        try {
            return (ObjectNode) JSON.readTree(said);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON: " + said, e);
        }
    }
}
