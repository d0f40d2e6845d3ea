package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.EmbeddedCluster;
import io.berth.e2e.fixture.EmbeddedServer;
import io.berth.e2e.fixture.RealControlPlane;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// What kubectl prints on the embedded server is what it prints on a real one. The commands are one
/// story, told to both servers line by line, by the kubectl of the same version and by the one that
/// comes with this machine.
@RealControlPlane
@EmbeddedServer
final class KubectlIT {
    private static final String MANIFEST =
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: web
              labels: {app: web}
            spec:
              containers:
              - name: main
                image: example/web:1
                resources: {requests: {cpu: 100m}}
            """;

    /// `NS` stands for the namespace of the story, `!` for a command that fails.
    private static final List<String> STORY =
            List.of(
                    "create namespace NS",
                    "get namespace NS -o name",
                    "apply -n NS -f -",
                    "apply -n NS -f -",
                    "get pods -n NS",
                    "get pods -n NS -o wide",
                    "get pods -n NS --show-labels",
                    "get pod web -n NS -o jsonpath={.status.qosClass}{.spec.schedulerName}",
                    "!get pod nobody -n NS",
                    "label pod web -n NS tier=front",
                    "get pods -n NS -l tier=front,app!=db -o name",
                    "get pods -n NS --field-selector=spec.nodeName=nowhere",
                    "annotate pod web -n NS note=seen",
                    "create configmap settings -n NS --from-literal=a=b",
                    "get configmaps settings -n NS",
                    "create priorityclass NS --value=7",
                    "get priorityclass NS",
                    "!create -n NS -f -",
                    "delete pod web -n NS --force --grace-period=0",
                    "get pods -n NS",
                    "delete priorityclass NS");

    @TestFactory
    Stream<DynamicTest> sameVersionPrintsTheSame(ControlPlane real, EmbeddedCluster embedded) {
        var onReal = real.kubectl();
        return story("same-version", onReal, embedded.kubectl(real.binaries().kubectl()));
    }

    @TestFactory
    Stream<DynamicTest> kubectlOfThisMachinePrintsTheSame(
            ControlPlane real, EmbeddedCluster embedded) {
        return Kubectl.onPath().stream()
                .flatMap(binary ->
                        story("of-this-machine", real.kubectl(binary), embedded.kubectl(binary)));
    }

    private static Stream<DynamicTest> story(String namespace, Kubectl real, Kubectl embedded) {
        return STORY.stream()
                .map(line ->
                        DynamicTest.dynamicTest(
                                line,
                                () ->
                                        assertThat(tell(embedded, line, namespace))
                                                .isEqualTo(tell(real, line, namespace))));
    }

    private static String tell(Kubectl kubectl, String line, String namespace) {
        String[] arguments = line.replace("NS", namespace).replaceFirst("^!", "").split(" ", -1);
        var result = kubectl.runWithInput(line.endsWith("-f -") ? MANIFEST : "", arguments);
        // Guards against two servers that both fail in the same way.
        assertThat(result.status()).as(result.errors()).isEqualTo(line.startsWith("!") ? 1 : 0);
        return withoutAges(result.output()) + withoutAges(result.errors());
    }

    private static String withoutAges(String text) {
        return text.replaceAll("\\b\\d+s\\b *", "AGE ");
    }
}
