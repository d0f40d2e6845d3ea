package io.berth.e2e;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.support.TypeBasedParameterResolver;

/// Starts the embedded server when the first test asks for it; the root store closes it after the
/// last.
final class EmbeddedServerExtension extends TypeBasedParameterResolver<EmbeddedCluster> {
    private static final Namespace NAMESPACE = Namespace.create(EmbeddedServerExtension.class);

    @Override
    public EmbeddedCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(
                        EmbeddedCluster.class, _ -> new EmbeddedCluster(), EmbeddedCluster.class);
    }
}
