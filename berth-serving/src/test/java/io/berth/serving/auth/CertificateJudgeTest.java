package io.berth.serving.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.serving.http.TestAuthority;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What is remembered is never more than what would be found anew.
@Tag("P-215")
final class CertificateJudgeTest {
    private static final String UNKNOWN = "x509: certificate signed by unknown authority";

    private final TestAuthority clients = new TestAuthority("clients");
    private final TestAuthority others = new TestAuthority("others");
    private final List<X509Certificate> trusted = List.of(clients.certificate());
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final AtomicLong nanos = new AtomicLong();
    private final CertificateJudge<String> judge =
            new CertificateJudge<>(() -> now.get(), nanos::get);
    private final AtomicInteger judged = new AtomicInteger();

    private String judge(X509Certificate leaf, List<X509Certificate> authorities) {
        return judge.judge(
                List.of(leaf),
                authorities,
                problem -> {
                    judged.incrementAndGet();
                    return problem.orElse("good");
                });
    }

    @Test
    void sameCertificateIsJudgedOnceForSomeMinutes() {
        var jane = clients.client("CN=jane").certificate();
        var stranger = others.client("CN=jane").certificate();
        for (int i = 0; i < 3; i++) {
            assertThat(judge(jane, trusted)).isEqualTo("good");
            assertThat(judge(stranger, trusted)).isEqualTo(UNKNOWN);
        }
        assertThat(judged).hasValue(2);
        nanos.addAndGet(Duration.ofMinutes(5).toNanos());
        assertThat(judge(jane, trusted)).isEqualTo("good");
        assertThat(judged).hasValue(3);
    }

    /// By the clock of the day, whatever has been remembered and for however long.
    @Test
    void expiredCertificateIsRefusedThoughItIsRemembered() {
        var jane = clients.client("CN=jane").certificate();
        assertThat(judge(jane, trusted)).isEqualTo("good");
        now.set(jane.getNotAfter().toInstant().plusSeconds(1));
        assertThat(judge(jane, trusted)).contains("has expired or is not yet valid", "is after");
        now.set(jane.getNotBefore().toInstant().minusSeconds(1));
        assertThat(judge(jane, trusted)).contains("has expired or is not yet valid", "is before");
    }

    @Test
    void nothingIsRememberedForLongerThanTheCertificatesLast() {
        var jane = clients.client("CN=jane").certificate();
        now.set(jane.getNotAfter().toInstant().minusSeconds(60));
        judge(jane, trusted);
        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        judge(jane, trusted);
        assertThat(judged).hasValue(1);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        judge(jane, trusted);
        assertThat(judged).hasValue(2);
    }

    @Test
    void certificateOfAnAuthorityThatIsOneNoMoreIsRefused() {
        var jane = clients.client("CN=jane").certificate();
        var both = List.of(clients.certificate(), others.certificate());
        assertThat(judge(jane, both)).isEqualTo("good");
        assertThat(judge(jane, List.of(others.certificate()))).isEqualTo(UNKNOWN);
        assertThat(judge(jane, trusted)).isEqualTo("good");
    }

    @Test
    void sameAuthoritiesReadOnceMoreChangeNothing() {
        var jane = clients.client("CN=jane").certificate();
        judge(jane, trusted);
        judge(jane, new ArrayList<>(trusted));
        assertThat(judged).hasValue(1);
    }

    @Test
    void certificatesThatNobodyShowsAnyMoreAreForgotten() {
        var jane = clients.client("CN=jane").certificate();
        judge(jane, trusted);
        for (int i = 0; i < CertificateJudge.CAPACITY; i++) {
            judge(clients.client("CN=c" + i).certificate(), trusted);
        }
        judge(jane, trusted);
        assertThat(judged).hasValue(CertificateJudge.CAPACITY + 2);
    }

    @Test
    void manyThreadsGetWhatTheirAuthoritiesSay() throws InterruptedException {
        var jane = clients.client("CN=jane").certificate();
        var foreign = List.of(others.certificate());
        var wrong = new AtomicInteger();
        var done = new CountDownLatch(4);
        for (int thread = 0; thread < 4; thread++) {
            boolean isTrusted = thread % 2 == 0;
            Thread.ofVirtual()
                    .start(() -> {
                        for (int i = 0; i < 500; i++) {
                            var verdict = judge(jane, isTrusted ? trusted : foreign);
                            if (!verdict.equals(isTrusted ? "good" : UNKNOWN)) {
                                wrong.incrementAndGet();
                            }
                        }
                        done.countDown();
                    });
        }
        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(wrong).hasValue(0);
    }
}
