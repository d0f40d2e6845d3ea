package io.berth.apiserver.security;

import java.util.List;

/// Who sends a request.
public record User(String name, List<String> groups) {
    public static final User ADMIN = new User("kubernetes-admin", List.of("system:masters"));

    public User {
        groups = List.copyOf(groups);
    }
}
