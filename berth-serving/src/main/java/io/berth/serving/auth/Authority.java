package io.berth.serving.auth;

import io.berth.serving.http.User;

/// Says what somebody may do. Thread-safe. Where that cannot be found out, they may not.
public interface Authority {
    /// Whether somebody may `get` a path of this port.
    boolean mayGet(User user, String path);

    boolean may(User user, ResourceRight right);
}
