package io.berth.serving.auth;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Judges certificates that clients show, and remembers what came of it: a client shows the same
/// ones with each call, and finding a path to an authority checks signatures. Thread-safe.
///
/// Remembered for some minutes, for as long as the certificates are valid and the authorities are
/// those that were in force. That a certificate is valid at this moment is looked at each time.
///
/// @param <V> what somebody makes of certificates and of what is wrong with them
final class CertificateJudge<V> {
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /// Anybody may show certificates of their own making. Of a few KiB each, and at most as many as
    /// a handshake has room for.
    static final int CAPACITY = 128;

    private final InstantSource clock;
    private final LongSupplier nanos;
    private volatile Session session;

    /// What is known by the authorities of a time.
    private final class Session {
        private final List<X509Certificate> authorities;
        private final ExpiringCache<List<X509Certificate>, V> known =
                new ExpiringCache<>(CAPACITY, nanos);

        Session(List<X509Certificate> authorities) {
            this.authorities = authorities;
        }
    }

    CertificateJudge() {
        this(InstantSource.system(), System::nanoTime);
    }

    CertificateJudge(InstantSource clock, LongSupplier nanos) {
        this.clock = clock;
        this.nanos = nanos;
        this.session = new Session(List.of());
    }

    /// @param shown leaf first, then perhaps those between it and an authority
    /// @param meaning what follows from why they do not count, or from nothing being wrong
    V judge(
            List<X509Certificate> shown,
            List<X509Certificate> authorities,
            Function<Optional<String>, V> meaning) {
        Instant now = clock.instant();
        Optional<String> outside = CertificateVerifier.outsideItsTime(shown.getFirst(), now);
        if (outside.isPresent()) {
            return meaning.apply(outside);
        }
        var present = session(authorities);
        return present.known
                .get(shown)
                .orElseGet(() -> {
                    V verdict = meaning.apply(CertificateVerifier.problem(shown, authorities, now));
                    present.known.put(shown, verdict, lifetime(shown, now));
                    return verdict;
                });
    }

    /// Nothing that other authorities vouched for is known any more.
    private Session session(List<X509Certificate> authorities) {
        var present = session;
        if (!present.authorities.equals(authorities)) {
            present = new Session(authorities);
            session = present;
        }
        return present;
    }

    private static Duration lifetime(List<X509Certificate> shown, Instant now) {
        Instant end =
                shown.stream()
                        .map(X509Certificate::getNotAfter)
                        .map(Date::toInstant)
                        .min(Instant::compareTo)
                        .orElse(now);
        Duration left = Duration.between(now, end);
        return left.compareTo(LONGEST) < 0 ? left : LONGEST;
    }
}
