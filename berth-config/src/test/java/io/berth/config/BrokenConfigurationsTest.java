package io.berth.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.berth.config.BrokenConfigurations.Broken;
import io.berth.config.text.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whatever is broken in a file, the operator reads one sentence that names the place.
@Tag("P-49")
@Tag("P-72")
@Tag("P-73")
class BrokenConfigurationsTest {
    private static final long SEED = 42;

    @Test
    void theFilesTheyAreMadeFromAreGood() throws ConfigurationException {
        for (var good : BrokenConfigurations.good()) {
            assertThat(Configurations.readFile(good)).isNotNull();
        }
    }

    @Test
    void thereAreHundredsAndTheSameSeedGivesTheSame() {
        var broken = BrokenConfigurations.of(SEED);
        assertThat(broken).hasSizeGreaterThan(300);
        assertThat(BrokenConfigurations.of(SEED)).isEqualTo(broken);
        assertThat(BrokenConfigurations.of(SEED + 1)).isNotEqualTo(broken);
    }

    @Test
    @Timeout(300)
    void eachIsRefusedWithAMessageThatNamesTheField() {
        var surprises = new ArrayList<String>();
        for (long seed : List.of(SEED, SEED + 1)) {
            for (var broken : BrokenConfigurations.of(seed)) {
                surprise(broken).ifPresent(surprises::add);
            }
        }
        assertThat(surprises).isEmpty();
    }

    private static Optional<String> surprise(Broken broken) {
        var refusal = catchThrowable(() -> Configurations.readFile(broken.text()));
        boolean told =
                refusal instanceof ConfigurationException
                        && String.valueOf(refusal.getMessage()).contains(broken.names())
                        && !String.valueOf(refusal.getMessage()).contains("Exception");
        return told ? Optional.empty() : Optional.of(broken + " -> " + refusal);
    }
}
