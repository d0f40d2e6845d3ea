package io.berth.serving.http;

import io.berth.api.handle.Log;

/// Turns a mistake of ours into a 500, so that neither the connection nor the process suffers.
final class PanicRecovery implements Filter {
    private final Log log;

    PanicRecovery(Log log) {
        this.log = log;
    }

    @Override
    public Reply answer(Call call, Endpoint inner) {
        try {
            return inner.answer(call);
        } catch (RuntimeException | Error mistake) {
            log.error(
                    mistake,
                    "kube-scheduler panic'd",
                    "method",
                    call.method(),
                    "URI",
                    call.target(),
                    "auditID",
                    "");
            return Reply.error(
                            500,
                            "This request caused kube-scheduler to panic. Look in the logs for"
                                    + " details.")
                    .with("Cache-Control", "no-cache, private");
        }
    }
}
