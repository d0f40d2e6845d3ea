package io.berth.app.explain;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/// Finds out in which namespaces somebody may list pods. Each costs a question to the API server,
/// so few are asked after, and not for long.
final class NamespaceRights {
    static final int MOST = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Predicate<String> mayList;
    private final Duration patience;

    /// @param undecided how many it was not found out of
    record Decided(Set<String> open, int undecided) {
        static final Decided NOTHING = new Decided(Set.of(), 0);
    }

    /// @param mayList asks the API server
    NamespaceRights(Predicate<String> mayList) {
        this(mayList, PATIENCE);
    }

    NamespaceRights(Predicate<String> mayList, Duration patience) {
        this.mayList = mayList;
        this.patience = patience;
    }

    Decided of(Collection<String> namespaces) {
        if (namespaces.isEmpty()) {
            return Decided.NOTHING;
        }
        var found = new ConcurrentHashMap<String, Boolean>();
        var asking =
                Thread.ofVirtual()
                        .name("namespace-rights")
                        .start(() -> {
                            for (var namespace :
                                    namespaces.stream().sorted().limit(MOST).toList()) {
                                if (Thread.currentThread().isInterrupted()) {
                                    return;
                                }
                                boolean isOpen = mayList.test(namespace);
                                // What is said to somebody who was told to stop is no answer.
                                if (!Thread.currentThread().isInterrupted()) {
                                    found.put(namespace, isOpen);
                                }
                            }
                        });
        try {
            if (!asking.join(patience)) {
                asking.interrupt();
            }
        } catch (InterruptedException stop) {
            asking.interrupt();
            Thread.currentThread().interrupt();
        }
        var open = new HashSet<String>();
        var decided = Map.copyOf(found);
        decided.forEach((namespace, isOpen) -> {
            if (isOpen) {
                open.add(namespace);
            }
        });
        return new Decided(open, namespaces.size() - decided.size());
    }
}
