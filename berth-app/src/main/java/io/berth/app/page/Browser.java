package io.berth.app.page;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/// The browser of whoever sits at this machine.
public final class Browser {
    private Browser() {}

    /// Has it open a link, if there is one; says nothing where there is none, since the link is
    /// printed as well.
    public static void open(String link) {
        var system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        List<String> command =
                system.contains("mac")
                        ? List.of("open", link)
                        : system.contains("windows")
                                ? List.of("rundll32", "url.dll,FileProtocolHandler", link)
                                : List.of("xdg-open", link);
        try {
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException noBrowser) {
            // The link is there to be copied.
        }
    }
}
