package io.berth.serving.auth;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What callers of our port may do: the flags of the group "authorization".
///
/// @param alwaysAllowPaths paths that everybody may ask for; a trailing `*` matches any rest
/// @param kubeconfig how to reach the API server that is asked; empty tries the pod's own account
/// @param allowedTtl,deniedTtl how long an answer is believed; zero asks every time
public record AuthorizationSettings(
        List<String> alwaysAllowPaths,
        Optional<Path> kubeconfig,
        Duration allowedTtl,
        Duration deniedTtl) {

    public static final AuthorizationSettings DEFAULT =
            new AuthorizationSettings(
                    List.of("/healthz", "/readyz", "/livez"),
                    Optional.empty(),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(10));

    public AuthorizationSettings {
        alwaysAllowPaths = List.copyOf(alwaysAllowPaths);
    }

    public AuthorizationSettings withKubeconfig(Path file) {
        return new AuthorizationSettings(
                alwaysAllowPaths, Optional.of(file), allowedTtl, deniedTtl);
    }

    /// What is wrong with these settings, in the words of kube-scheduler.
    public List<String> check() {
        return alwaysAllowPaths.stream()
                .map(path -> path.startsWith("/") ? path.substring(1) : path)
                .filter(path -> path.indexOf('*') >= 0 && path.indexOf('*') < path.length() - 1)
                .map(path -> "only trailing * allowed in \"" + path + "\"")
                .toList();
    }
}
