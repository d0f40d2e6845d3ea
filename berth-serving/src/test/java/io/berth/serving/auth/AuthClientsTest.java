package io.berth.serving.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.kube.connection.ConfigException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AuthClientsTest {
    @TempDir private Path folder;

    @Test
    @Tag("P-52")
    void aKubeconfigMustBeReadable() {
        assertThatThrownBy(() ->
                        AuthClients.connect(
                                Optional.of(folder.resolve("none")), "authentication", Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("failed to get delegated authentication kubeconfig: ");
        assertThat(AuthClients.connect(Optional.empty(), "authorization", Map.of())).isEmpty();
    }
}
