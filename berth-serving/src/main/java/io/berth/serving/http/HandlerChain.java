package io.berth.serving.http;

import io.berth.serving.tls.ServerLog;
import java.util.Optional;

/// The filters in front of the pages, in kube-scheduler's order: panic recovery, log, cache
/// control, authentication, authorization, pages. The call itself carries what upstream's
/// request-info filter works out.
public final class HandlerChain {
    private static final String CACHE_CONTROL = "Cache-Control";

    private HandlerChain() {}

    /// The chain of a secure port.
    public static Endpoint secure(
            Endpoint pages, Filter authentication, Filter authorization, ServerLog log) {
        return build(pages, Optional.of(authentication), Optional.of(authorization), log);
    }

    /// The chain of a port that asks nobody who they are.
    public static Endpoint insecure(Endpoint pages, ServerLog log) {
        log.warningLine("Authorization is disabled");
        log.warningLine("Authentication is disabled");
        return build(pages, Optional.empty(), Optional.empty(), log);
    }

    private static Endpoint build(
            Endpoint pages,
            Optional<Filter> authentication,
            Optional<Filter> authorization,
            ServerLog log) {
        Endpoint inner = authorization.map(filter -> filter.around(pages)).orElse(pages);
        Endpoint known = authentication.map(filter -> filter.around(inner)).orElse(inner);
        Filter cacheControl = HandlerChain::withCacheControl;
        return new PanicRecovery(log).around(new HttpLog(log).around(cacheControl.around(known)));
    }

    private static Reply withCacheControl(Call call, Endpoint inner) {
        Reply reply = inner.answer(call);
        return reply.headers().containsKey(CACHE_CONTROL)
                ? reply
                : reply.with(CACHE_CONTROL, "no-cache, private");
    }
}
