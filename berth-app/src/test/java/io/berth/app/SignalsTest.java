package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class SignalsTest {
    @Test
    @Tag("E-175")
    @DisabledOnOs(OS.WINDOWS)
    void signalIsHeardAsOftenAsItIsSent() throws IOException, InterruptedException {
        var heard = new AtomicInteger();
        assertThat(Signals.on("USR2", heard::incrementAndGet)).isTrue();
        for (int time = 1; time <= 2; time++) {
            int expected = time;
            send("USR2");
            await().atMost(RunningScheduler.PATIENCE).until(() -> heard.get() == expected);
        }
    }

    private static void send(String name) throws IOException, InterruptedException {
        var pid = Long.toString(ProcessHandle.current().pid());
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
    }

    @Test
    void signalThatThePlatformLacksIsRefused() {
        assertThat(Signals.on("NONE", () -> {})).isFalse();
    }
}
