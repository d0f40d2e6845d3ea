package io.berth.ui;

import io.berth.serving.http.Call;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.Filter;
import io.berth.serving.http.Reply;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/// Keeps a port on the loopback interface for whoever has its link: others on the machine know
/// neither the key in it nor, from a page of another site, the host that it was made for.
///
/// The key stands behind the `#` of the link, which browsers send nowhere; the page then says it in
/// a header.
public final class Doorkeeper implements Filter {
    /// The header with the key.
    public static final String KEY_HEADER = "X-Berth-Key";

    private final Set<String> hosts;
    private final String key;

    /// @param key the one in the link
    public Doorkeeper(int port, String key) {
        this.hosts = Set.of("127.0.0.1:" + port, "localhost:" + port);
        this.key = key;
    }

    /// A key that nobody guesses.
    public static String newKey() {
        var bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    public String key() {
        return key;
    }

    @Override
    public Reply answer(Call call, Endpoint inner) {
        if (!hosts.contains(call.header("Host"))) {
            return Reply.error(403, "this page is for this machine alone, by the link it printed");
        }
        var origin = call.header("Origin");
        if (!origin.isEmpty()
                && hosts.stream().noneMatch(host -> origin.equals("http://" + host))) {
            return Reply.error(403, "other sites may ask nothing here");
        }
        boolean isFile = call.path().equals("/") || call.path().startsWith("/ui");
        if (!isFile && !isKey(call.header(KEY_HEADER))) {
            return Reply.error(401, "the link that was printed has a key; this call has none");
        }
        return inner.answer(call);
    }

    private boolean isKey(String given) {
        return MessageDigest.isEqual(
                given.getBytes(StandardCharsets.UTF_8), key.getBytes(StandardCharsets.UTF_8));
    }
}
