package io.berth.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How indexes are written.
final class TallyTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0,2", "0,1", "0-2", "1,3-5,9,11,12"})
    void indexesReadAsTheyWereWritten(String text) {
        assertThat(Tally.text(new TreeSet<>(Tally.indexes(text)))).isEqualTo(text);
    }
}
