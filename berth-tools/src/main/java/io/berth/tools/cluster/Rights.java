package io.berth.tools.cluster;

import io.berth.api.model.Kind;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.lab.explain.ExplainException;
import java.util.Set;

/// What it means where a kind may not be read.
public final class Rights {
    private static final Set<Kind> SPREADING =
            Set.of(Kind.SERVICE, Kind.REPLICATION_CONTROLLER, Kind.REPLICA_SET, Kind.STATEFUL_SET);

    private Rights() {}

    /// Whether pods can be judged without this kind, if less surely.
    public static boolean isSpare(Kind kind) {
        return kind != Kind.POD && kind != Kind.NODE;
    }

    /// What is uncertain without it.
    public static String consequence(Kind kind) {
        if (kind == Kind.POD_DISRUPTION_BUDGET) {
            return "evictions are told without budgets";
        }
        if (kind == Kind.NAMESPACE) {
            return "terms that choose namespaces by labels are judged as if none matched";
        }
        return SPREADING.contains(kind)
                ? "default spreading is rated without it"
                : "filters that need them judge as if there were none";
    }

    /// Says in one sentence why a kind that is needed cannot be read.
    public static ExplainException failed(
            ApiException refused, Kind kind, ApiClient client, String remedy) {
        var sentence =
                switch (refused.code()) {
                    case 401 ->
                            "the cluster at %s does not know you: %s"
                                    .formatted(client.server(), refused.getMessage());
                    case 403 ->
                            "you may not list %s, without which nothing can be judged: %s; %s"
                                    .formatted(kind.plural(), refused.getMessage(), remedy);
                    default ->
                            "cannot read %s from the cluster at %s: %s"
                                    .formatted(
                                            kind.plural(), client.server(), refused.getMessage());
                };
        return new ExplainException(sentence, refused);
    }
}
