package io.berth.serving.http;

import java.util.List;
import java.util.Map;

/// Who calls.
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    public static final String AUTHENTICATED = "system:authenticated";
    public static final String UNAUTHENTICATED = "system:unauthenticated";

    public static final User ANONYMOUS =
            new User("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());

    public User {
        groups = List.copyOf(groups);
        extra = Map.copyOf(extra);
    }

    public boolean isAnonymous() {
        return name.equals(ANONYMOUS.name) || groups.contains(UNAUTHENTICATED);
    }
}
