package io.berth.kube.connection;

import io.berth.config.text.SmallFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A bearer token in a file that someone else renews. It is read again when the last reading is 50
/// seconds old, or when the server refused it; an unreadable file leaves the old token in use
/// (contract rule P-126).
final class TokenFile implements Credentials {
    private static final Logger log = LoggerFactory.getLogger(TokenFile.class);
    private static final Duration KEPT = Duration.ofSeconds(50);

    private final Path path;
    private final LongSupplier nanos;
    private @Nullable String value;
    private long readAt;

    TokenFile(Path path) {
        this(path, System::nanoTime);
    }

    TokenFile(Path path, LongSupplier nanos) {
        this.path = path;
        this.nanos = nanos;
    }

    @Override
    public synchronized String authorization() {
        var known = value;
        if (known != null && nanos.getAsLong() - readAt < KEPT.toNanos()) {
            return known;
        }
        try {
            known = read();
        } catch (ConfigException unreadable) {
            if (known == null) {
                throw unreadable;
            }
            log.atError()
                    .addKeyValue("file", path)
                    .addKeyValue("err", unreadable.getMessage())
                    .log("Unable to rotate token");
        }
        value = known;
        readAt = nanos.getAsLong();
        return known;
    }

    @Override
    public synchronized void refused(@Nullable String authorization) {
        if (authorization != null && authorization.equals(value)) {
            readAt = nanos.getAsLong() - KEPT.toNanos();
        }
    }

    private String read() {
        try {
            String token = new String(SmallFiles.read(path), StandardCharsets.UTF_8).strip();
            if (token.isEmpty()) {
                throw new ConfigException("read empty token from file \"" + path + "\"");
            }
            return "Bearer " + token;
        } catch (IOException unreadable) {
            throw new ConfigException(
                    "failed to read token file \"" + path + "\": " + Errors.reason(unreadable),
                    unreadable);
        }
    }
}
