package io.berth.serving.http;

import io.berth.api.handle.Log;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes a line for every call when the log is talkative enough.
final class HttpLog implements Filter {
    private static final int LEVEL = 3;
    private static final int SERVER_ERROR = 500;

    private final Log log;

    HttpLog(Log log) {
        this.log = log;
    }

    @Override
    public Reply answer(Call call, Endpoint inner) {
        if (!log.isOn(LEVEL)) {
            return inner.answer(call);
        }
        long begin = System.nanoTime();
        try {
            Reply reply = inner.answer(call);
            List<@Nullable Object> facts = facts(call, begin, reply.status());
            if (reply.status() >= SERVER_ERROR && !reply.expected()) {
                facts.add("addedInfo");
                facts.add(new String(reply.body(), StandardCharsets.UTF_8));
            }
            log.info(LEVEL, "HTTP", facts.toArray());
            return reply;
        } catch (RuntimeException | Error mistake) {
            List<@Nullable Object> facts = facts(call, begin, SERVER_ERROR);
            facts.add("statusStack");
            facts.add(stack(mistake));
            log.info(LEVEL, "HTTP", facts.toArray());
            throw mistake;
        }
    }

    private static List<@Nullable Object> facts(Call call, long begin, int status) {
        var facts = new ArrayList<@Nullable Object>();
        add(facts, "verb", call.method());
        add(facts, "URI", call.target());
        add(facts, "latency", Duration.ofNanos(System.nanoTime() - begin));
        add(facts, "userAgent", call.header("User-Agent"));
        add(facts, "audit-ID", "");
        add(facts, "srcIP", call.peer().address());
        add(facts, "resp", status);
        return facts;
    }

    private static void add(List<@Nullable Object> facts, String key, Object value) {
        facts.add(key);
        facts.add(value);
    }

    private static String stack(Throwable mistake) {
        var text = new StringWriter();
        mistake.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
