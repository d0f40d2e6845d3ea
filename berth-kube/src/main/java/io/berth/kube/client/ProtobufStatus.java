package io.berth.kube.client;

import io.berth.kube.protobuf.Fields;
import io.berth.kube.protobuf.ProtobufException;
import java.util.ArrayList;
import java.util.List;

/// Reads a `Status` in protobuf.
public final class ProtobufStatus {
    private static final int MESSAGE = 3;
    private static final int REASON = 4;
    private static final int DETAILS = 5;
    private static final int CODE = 6;

    // Of the details.
    private static final int CAUSES = 4;
    private static final int RETRY_AFTER = 5;

    // Of a cause.
    private static final int CAUSE_REASON = 1;
    private static final int CAUSE_MESSAGE = 2;
    private static final int CAUSE_FIELD = 3;

    private ProtobufStatus() {}

    /// Reads the message before whose first field the argument stands.
    public static ApiStatus read(Fields fields) throws ProtobufException {
        int code = 0;
        String reason = "";
        String message = "";
        var causes = new ArrayList<ApiStatus.Cause>();
        int retryAfter = 0;
        int end = fields.end();
        while (fields.next()) {
            switch (fields.number()) {
                case MESSAGE -> message = fields.text();
                case REASON -> reason = fields.text();
                case DETAILS -> {
                    int after = fields.place();
                    fields.enter();
                    retryAfter = readDetails(fields, causes);
                    fields.resume(after, end);
                }
                case CODE -> code = (int) fields.value();
                default -> {
                    // Nothing that we need.
                }
            }
        }
        return new ApiStatus(code, reason, message, causes, retryAfter);
    }

    private static int readDetails(Fields fields, List<ApiStatus.Cause> causes)
            throws ProtobufException {
        int retryAfter = 0;
        int end = fields.end();
        while (fields.next()) {
            if (fields.number() == CAUSES) {
                int after = fields.place();
                fields.enter();
                causes.add(readCause(fields));
                fields.resume(after, end);
            } else if (fields.number() == RETRY_AFTER) {
                retryAfter = (int) fields.value();
            }
        }
        return retryAfter;
    }

    private static ApiStatus.Cause readCause(Fields fields) throws ProtobufException {
        String reason = "";
        String message = "";
        String path = "";
        while (fields.next()) {
            switch (fields.number()) {
                case CAUSE_REASON -> reason = fields.text();
                case CAUSE_MESSAGE -> message = fields.text();
                case CAUSE_FIELD -> path = fields.text();
                default -> {
                    // Nothing that we need.
                }
            }
        }
        return new ApiStatus.Cause(reason, message, path);
    }
}
