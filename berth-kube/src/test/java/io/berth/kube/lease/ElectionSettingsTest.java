package io.berth.kube.lease;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.kube.connection.ConfigException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Elections that cannot work are refused before they begin.
class ElectionSettingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    10  | 10 | 2   | leaseDuration must be greater than renewDeadline
                    15  | 2  | 1.8 | renewDeadline must be greater than retryPeriod*JitterFactor
                    15  | 10 | 0   | retryPeriod must be greater than zero
                    15  | 0  | -2  | renewDeadline must be greater than zero
                    -1  | -2 | -5  | leaseDuration must be greater than zero
                    """)
    @Tag("P-221")
    void timesThatCannotWorkAreRefused(double lease, double renew, double retry, String problem) {
        assertThatThrownBy(() -> times(lease, renew, retry).check())
                .isInstanceOf(ConfigException.class)
                .hasMessage("couldn't create leader elector: " + problem);
    }

    @Test
    @Tag("P-221")
    void anElectionNeedsAName() {
        assertThatThrownBy(() ->
                        new ElectionSettings(
                                "kube-system", "kube-scheduler", "", ElectionTimes.DEFAULT, false))
                .hasMessage("couldn't create leader elector: Lock identity is empty");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    endpoints        | endpoints lock is removed, migrate to leases
                    configmaps       | configmaps lock is removed, migrate to leases
                    endpointsleases  | endpointsleases lock is removed, migrate to leases
                    configmapsleases | configmapsleases lock is removed, migrated to leases
                    secrets          | Invalid lock-type secrets
                    """)
    @Tag("P-221")
    void onlyLeasesAreLeft(String type, String problem) {
        LockTypes.check("leases");
        assertThatThrownBy(() -> LockTypes.check(type))
                .hasMessage("couldn't create resource lock: " + problem);
    }

    /// All in seconds.
    static ElectionTimes times(double lease, double renew, double retry) {
        return new ElectionTimes(millis(lease), millis(renew), millis(retry));
    }

    private static Duration millis(double seconds) {
        return Duration.ofMillis(Math.round(1000 * seconds));
    }
}
