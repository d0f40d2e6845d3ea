package io.berth.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AlarmsTest {
    private static final Duration LATER = Duration.ofHours(1);

    private final Alarms alarms = new Alarms("alarms-test");
    private final CountDownLatch rung = new CountDownLatch(1);

    @Test
    void goesOffWhenItIsDue() throws Exception {
        alarms.set(Duration.ofMillis(1), rung::countDown);
        assertRung();
    }

    @Test
    void oneThatIsDueEarlierDoesNotWaitForTheOthers() throws Exception {
        alarms.set(Duration.ofMillis(1), rung::countDown);
        assertRung();
        // From here on the thread sleeps until the first of these.
        alarms.set(LATER, () -> {});
        var sooner = new CountDownLatch(1);
        alarms.set(Duration.ofMillis(5), sooner::countDown);
        assertThat(sooner.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void nothingIsLeftOfOneThatIsTakenBack() {
        var alarm = alarms.set(LATER, () -> {});
        assertThat(alarms.count()).isOne();
        alarm.close();
        assertThat(alarms.count()).isZero();
    }

    @Test
    void oneThatFailsKeepsNoOtherFromGoingOff() throws Exception {
        alarms.set(
                Duration.ofMillis(1),
                () -> {
                    throw new IllegalStateException("an action's own mistake");
                });
        alarms.set(Duration.ofMillis(5), rung::countDown);
        assertRung();
    }

    private void assertRung() throws InterruptedException {
        assertThat(rung.await(1, TimeUnit.MINUTES)).isTrue();
    }
}
