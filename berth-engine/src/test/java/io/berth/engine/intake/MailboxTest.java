package io.berth.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.Kind;
import io.berth.engine.message.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Many threads post, one takes.
@Tag("E-3")
@Timeout(300)
final class MailboxTest {
    private static final int POSTERS = 6;
    private static final int EACH = 20_000;

    private static Message message(int poster, int number) {
        return new Message.Gone(Kind.POD, Integer.toString(poster), Integer.toString(number));
    }

    private static Thread poster(Mailbox mailbox, int poster, AtomicInteger posted) {
        return Thread.ofPlatform()
                .start(() -> {
                    for (int i = 0; i < EACH; i++) {
                        mailbox.post(message(poster, i));
                        posted.incrementAndGet();
                    }
                });
    }

    @Test
    void nothingIsLostAndEachPostersOrderIsKept() throws InterruptedException {
        var mailbox = new Mailbox(64);
        mailbox.adopt();
        mailbox.deciding(true);
        var posted = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < POSTERS; i++) {
            threads.add(poster(mailbox, i, posted));
        }
        int[] next = new int[POSTERS];
        int taken = 0;
        int own = 0;
        while (taken < POSTERS * EACH + own) {
            if (taken % 3 == 0) {
                mailbox.await(10_000);
            }
            var message = mailbox.poll();
            if (message == null) {
                Thread.onSpinWait();
                continue;
            }
            taken++;
            if (message instanceof Message.Gone(var kind, var poster, var number)) {
                int who = Integer.parseInt(poster);
                assertThat(Integer.parseInt(number)).isEqualTo(next[who]++);
                if (next[who] % 100 == 0) {
                    // The owner posts in between, as attempts do, and must not wait for itself.
                    mailbox.post(new Message.Synced(Kind.NODE));
                    own++;
                }
            }
            // Posters are at most the box's capacity ahead, each with one more in its hands.
            assertThat(mailbox.size()).isLessThanOrEqualTo(64);
            assertThat(posted.get()).isLessThanOrEqualTo(taken - ownTaken(taken, next) + 64);
        }
        for (var thread : threads) {
            thread.join();
        }
        assertThat(next).containsOnly(EACH);
        assertThat(own).isEqualTo(POSTERS * EACH / 100);
        assertThat(mailbox.poll()).isNull();
    }

    private static int ownTaken(int taken, int[] next) {
        int others = 0;
        for (int count : next) {
            others += count;
        }
        return taken - others;
    }

    @Test
    void fullBoxHoldsItsPosterBackUntilThereIsRoom() throws InterruptedException {
        var mailbox = new Mailbox(2);
        mailbox.adopt();
        var posted = new AtomicInteger();
        var done = new CountDownLatch(1);
        var thread =
                Thread.ofPlatform()
                        .start(() -> {
                            for (int i = 0; i < 3; i++) {
                                mailbox.post(message(0, i));
                                posted.incrementAndGet();
                            }
                            done.countDown();
                        });
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(posted.get()).isEqualTo(2);
        assertThat(mailbox.poll()).isEqualTo(message(0, 0));
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(List.of(mailbox.poll(), mailbox.poll()))
                .containsExactly(message(0, 1), message(0, 2));
    }

    @Test
    void ownerIsNeverHeldBackAndTakesItsOwnFirst() {
        var mailbox = new Mailbox(1);
        mailbox.adopt();
        mailbox.deciding(true);
        var other = Thread.ofPlatform().start(() -> mailbox.post(message(1, 0)));
        while (mailbox.size() == 0) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < 100; i++) {
            mailbox.post(message(0, i));
        }
        for (int i = 0; i < 100; i++) {
            assertThat(mailbox.poll()).isEqualTo(message(0, i));
        }
        assertThat(mailbox.poll()).isEqualTo(message(1, 0));
        assertThat(other).isNotNull();
    }

    private static Message outcome() {
        return new Message.Paused(true);
    }

    private static void onAnotherThread(Runnable post) {
        var thread = Thread.ofPlatform().start(post);
        try {
            assertThat(thread.join(Duration.ofMinutes(1))).isTrue();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Once outcomes had to find room among the news, and lost against two watches for seconds.
    @Test
    void outcomesNeitherWaitForRoomNorBehindTheNews() {
        var mailbox = new Mailbox(100);
        mailbox.adopt();
        onAnotherThread(() -> {
            for (int i = 0; i < 100; i++) {
                mailbox.post(message(0, i));
            }
        });
        var outcome = outcome();
        onAnotherThread(() -> mailbox.post(outcome));
        assertThat(List.of(mailbox.poll(), mailbox.poll())).contains(outcome);
        assertThat(mailbox.size()).isEqualTo(99);
    }

    @Test
    void lanesTakeTurnsSoThatAFloodOfOutcomesLeavesRoomForNews() {
        var mailbox = new Mailbox(100);
        mailbox.adopt();
        onAnotherThread(() -> {
            for (int i = 0; i < 10; i++) {
                mailbox.post(message(0, i));
                mailbox.post(outcome());
                mailbox.post(outcome());
            }
        });
        int news = 0;
        for (int i = 0; i < 20; i++) {
            news += mailbox.poll() instanceof Message.News ? 1 : 0;
        }
        assertThat(news).isEqualTo(10);
        for (int i = 0; i < 10; i++) {
            assertThat(mailbox.poll()).isEqualTo(outcome());
        }
        assertThat(mailbox.poll()).isNull();
    }

    /// Watches that wait for room get it in their order, so that none is starved by another.
    @Test
    void whoWaitsLongestGetsTheNextPlace() throws InterruptedException {
        var mailbox = new Mailbox(1);
        mailbox.adopt();
        onAnotherThread(() -> mailbox.post(message(0, 0)));
        var threads = new ArrayList<Thread>();
        for (int i = 1; i <= 5; i++) {
            int poster = i;
            var thread = Thread.ofPlatform().start(() -> mailbox.post(message(poster, 0)));
            threads.add(thread);
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }
        assertThat(mailbox.poll()).isEqualTo(message(0, 0));
        for (int i = 1; i <= 5; i++) {
            assertThat(threads.get(i - 1).join(Duration.ofMinutes(1))).isTrue();
            assertThat(mailbox.poll()).isEqualTo(message(i, 0));
        }
    }

    @Test
    void interruptedPosterStillDeliversAndKeepsItsInterrupt() throws InterruptedException {
        var mailbox = new Mailbox(1);
        mailbox.adopt();
        var wasInterrupted = new AtomicInteger();
        var thread =
                Thread.ofPlatform()
                        .start(() -> {
                            mailbox.post(message(0, 0));
                            mailbox.post(message(0, 1));
                            wasInterrupted.set(Thread.currentThread().isInterrupted() ? 1 : 0);
                        });
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        thread.interrupt();
        assertThat(mailbox.poll()).isEqualTo(message(0, 0));
        mailbox.await(60_000);
        assertThat(mailbox.poll()).isEqualTo(message(0, 1));
        thread.join();
        assertThat(wasInterrupted.get()).isEqualTo(1);
    }

    /// When its owner is gone, nobody must wait for room for ever.
    @Test
    void closedBoxLetsEverybodyGo() throws InterruptedException {
        var mailbox = new Mailbox(1);
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < POSTERS; i++) {
            threads.add(poster(mailbox, i, new AtomicInteger()));
        }
        mailbox.close();
        for (var thread : threads) {
            assertThat(thread.join(Duration.ofMinutes(1))).isTrue();
        }
    }

    @Test
    void waitingEndsAtItsLimit() throws InterruptedException {
        var mailbox = new Mailbox(1);
        mailbox.adopt();
        mailbox.await(1);
        assertThat(mailbox.poll()).isNull();
    }
}
