package io.berth.kube.codec.wire;

import io.berth.kube.client.ApiRequest;
import org.jspecify.annotations.Nullable;

/// How the objects of an answer are written.
public enum Encoding {
    JSON,
    PROTOBUF;

    /// @param contentType what the answer says of itself
    public static Encoding of(@Nullable String contentType) {
        return contentType != null && contentType.startsWith(ApiRequest.PROTOBUF) ? PROTOBUF : JSON;
    }
}
