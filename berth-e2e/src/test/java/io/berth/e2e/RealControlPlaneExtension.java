package io.berth.e2e;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.util.List;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Starts the control plane when the first test asks for it; the root store closes it after the
/// last.
final class RealControlPlaneExtension
        implements ExecutionCondition, BeforeAllCallback, ParameterResolver {
    static final String REQUIRE = "BERTH_REQUIRE_CONTROL_PLANE";

    private static final Namespace NAMESPACE = Namespace.create(RealControlPlaneExtension.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return switch (binaries(context)) {
            case Binaries.Found found -> enabled("control plane in " + found.folder());
            // Enabled, so that the missing parameter fails the test.
            case Binaries.Missing _ when required() -> enabled(REQUIRE + " is set");
            case Binaries.Missing(var remedy) -> disabled(remedy);
        };
    }

    /// A class that failed may have left the control plane in pieces or full of its objects; what
    /// follows is not to fail for that.
    @Override
    public void beforeAll(ExtensionContext context) {
        ControlPlane plane = controlPlane(context);
        for (var process : List.of(plane.etcd(), plane.apiServer())) {
            if (!process.running()) {
                process.start();
            }
        }
        plane.awaitReady();
        for (var pod : plane.admin().get("/api/v1/pods").ok().at("/items")) {
            new Objects(plane.admin(), pod.at("/metadata/namespace").asText())
                    .deletePod(pod.at("/metadata/name").asText());
        }
        plane.admin().delete("/api/v1/nodes").ok();
        plane.admin()
                .delete(
                        "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler");
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == ControlPlane.class || type == Kubectl.class || type == HttpApi.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        ControlPlane plane = controlPlane(context);
        Class<?> type = parameter.getParameter().getType();
        if (type == Kubectl.class) {
            return plane.kubectl();
        }
        return type == HttpApi.class ? plane.admin() : plane;
    }

    private static ControlPlane controlPlane(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(
                        ControlPlane.class, _ -> start(binaries(context)), ControlPlane.class);
    }

    private static ControlPlane start(Binaries binaries) {
        return switch (binaries) {
            case Binaries.Found found -> ControlPlane.start(found);
            case Binaries.Missing(var remedy) -> throw new IllegalStateException(remedy);
        };
    }

    /// Looked up once in a run, so that the line about missing ones is printed once.
    private static Binaries binaries(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(Binaries.class, _ -> findAndTell(), Binaries.class);
    }

    private static Binaries findAndTell() {
        Binaries binaries = Binaries.find();
        if (binaries instanceof Binaries.Missing(var remedy) && !required()) {
            System.err.println("Tests on a real control plane are skipped: " + remedy);
        }
        return binaries;
    }

    static boolean required() {
        return Boolean.parseBoolean(System.getProperty(REQUIRE, System.getenv(REQUIRE)));
    }
}
