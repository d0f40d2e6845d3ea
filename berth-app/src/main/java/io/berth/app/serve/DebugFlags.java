package io.berth.app.serve;

import io.berth.app.flag.FlagException;
import io.berth.app.flag.GoSyntax;
import java.nio.charset.StandardCharsets;
import java.util.function.IntConsumer;

/// `/debug/flags`: settings that can be changed while the process runs, which is the verbosity of
/// the log.
final class DebugFlags {
    private static final String INDEX =
            """
            <html>
            <head>
            <title>/debug/flags/</title>
            </head>
            <body>
            /debug/flags/<br>
            <br>
            flags:<br>
            <table>
            <tr>v<br>
            </table>
            <br>
            full flags configurable<br>
            </body>
            </html>
            """;

    private final IntConsumer verbosity;

    private DebugFlags(IntConsumer verbosity) {
        this.verbosity = verbosity;
    }

    static void install(Mux mux, IntConsumer verbosity) {
        var flags = new DebugFlags(verbosity);
        mux.unlisted("/debug/flags", _ -> index());
        mux.unlistedPrefix("/debug/flags/", _ -> index());
        mux.unlisted("/debug/flags/v", flags::change);
    }

    private static Reply index() {
        return Reply.of(200, "text/html; charset=utf-8", INDEX);
    }

    private Reply change(Call call) {
        if (!call.method().equals("PUT")) {
            return plain(406, "unsupported http method");
        }
        String text = new String(call.body().get(), StandardCharsets.UTF_8);
        try {
            int level = GoSyntax.parseLevel(text);
            verbosity.accept(level);
            return plain(200, "successfully set klog.logging.verbosity to " + text);
        } catch (FlagException unreadable) {
            return plain(400, String.valueOf(unreadable.getMessage()));
        }
    }

    private static Reply plain(int status, String sentence) {
        return Reply.of(status, "text/plain", sentence + "\n").noSniffing();
    }
}
