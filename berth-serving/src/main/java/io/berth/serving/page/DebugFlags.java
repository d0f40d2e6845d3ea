package io.berth.serving.page;

import io.berth.serving.http.Call;
import io.berth.serving.http.Mux;
import io.berth.serving.http.Reply;
import java.nio.charset.StandardCharsets;

/// `/debug/flags`: settings that can be changed while the process runs, which is the verbosity of
/// the log.
public final class DebugFlags {
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

    /// Changes the verbosity of the log to what a text says.
    public interface Verbosity {
        /// @throws IllegalArgumentException with the reason, where the text is no verbosity
        void set(String text);
    }

    private final Verbosity verbosity;

    private DebugFlags(Verbosity verbosity) {
        this.verbosity = verbosity;
    }

    static void install(Mux mux, Verbosity verbosity) {
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
            verbosity.set(text);
            return plain(200, "successfully set klog.logging.verbosity to " + text);
        } catch (IllegalArgumentException unreadable) {
            return plain(400, String.valueOf(unreadable.getMessage()));
        }
    }

    private static Reply plain(int status, String sentence) {
        return Reply.of(status, "text/plain", sentence + "\n").noSniffing();
    }
}
