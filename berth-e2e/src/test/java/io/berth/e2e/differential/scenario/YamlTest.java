package io.berth.e2e.differential.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class YamlTest {
    @Test
    void nestedObjectsAndLists() {
        var object =
                Json.parse(
                        """
                        {"kind":"Pod","metadata":{"labels":{"a/b":"1","c":"true"}},
                         "spec":{"containers":[{"name":"x","ports":[{"hostPort":80},{"hostPort":81}]}],
                                 "values":["p","q r"],"empty":{},"none":[],"on":false}}
                        """);

        assertThat(Yaml.of(object))
                .isEqualTo(
                        """
                        kind: Pod
                        metadata:
                          labels:
                            a/b: "1"
                            c: "true"
                        spec:
                          containers:
                            - name: x
                              ports:
                                - hostPort: 80
                                - hostPort: 81
                          values:
                            - p
                            - "q r"
                          empty: {}
                          none: []
                          "on": false
                        """);
    }
}
