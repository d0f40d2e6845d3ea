package io.berth.kube.protobuf;

import java.io.IOException;

/// Bytes that are no message.
public final class ProtobufException extends IOException {
    private static final long serialVersionUID = 1L;

    public ProtobufException(String problem) {
        super("malformed protobuf: " + problem);
    }
}
