package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.app.flag.Flag;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SchedulerFlagsTest {
    /// Their names are put together: `log-text-…`, `log-json-…`.
    private static final Set<String> PUT_TOGETHER =
            Set.of(
                    "log-text-split-stream",
                    "log-text-info-buffer-size",
                    "log-json-split-stream",
                    "log-json-info-buffer-size");

    /// Looks into the source: whoever adds a flag to the table is reminded to read it.
    @Test
    void everyFlagIsRead() {
        String sources = Sources.allBut("SchedulerFlags.java");
        assertThat(SchedulerFlags.SET.sorted())
                .extracting(Flag::name)
                .filteredOn(name -> !PUT_TOGETHER.contains(name))
                .allSatisfy(name -> assertThat(sources).contains("\"" + name + "\""));
    }
}
