package io.berth.kube.watch;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.engine.port.ClusterFeed;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Passes on all that is seen; but pods of the first list that have no node yet only when the first
/// lists of all other kinds are complete.
///
/// A pod whose claims are merely not listed yet would be parked, and with each object that comes
/// all parked pods are asked whether it helps them: the square of their number.
///
/// ```
///   pods ──► kept ──first list complete──► wait for the other kinds ──► passed on ──► all passes
/// ```
///
/// Any thread may call; those about pods come from one, which is made to wait and then reads on
/// where it was.
public final class PendingPodsLast implements ClusterFeed {
    private static final Logger log = LoggerFactory.getLogger(PendingPodsLast.class);
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private final ClusterFeed feed;
    private final Set<Kind> awaited = ConcurrentHashMap.newKeySet();
    private final CountDownLatch others;

    // Touched by the thread of the pods only.
    private final Map<String, Pod> kept = new LinkedHashMap<>();
    private boolean keeps;

    /// @param kinds all that are followed
    public PendingPodsLast(ClusterFeed feed, Collection<Kind> kinds) {
        this.feed = feed;
        this.keeps = kinds.contains(Kind.POD);
        awaited.addAll(kinds);
        awaited.remove(Kind.POD);
        this.others = new CountDownLatch(awaited.size());
    }

    @Override
    public void seen(ClusterObject object) {
        if (object instanceof Pod pod && keeps) {
            kept.remove(pod.key());
            if (!pod.isAssigned()) {
                kept.put(pod.key(), pod);
                return;
            }
        }
        feed.seen(object);
    }

    @Override
    public void gone(Kind kind, String namespace, String name) {
        if (kind == Kind.POD && keeps && kept.remove(namespace + "/" + name) != null) {
            return;
        }
        feed.gone(kind, namespace, name);
    }

    @Override
    public void synced(Kind kind) {
        if (kind == Kind.POD && keeps) {
            awaitOthers();
            passOn();
        }
        feed.synced(kind);
        if (awaited.remove(kind)) {
            others.countDown();
        }
    }

    private void awaitOthers() {
        try {
            while (!others.await(SILENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                log.atInfo()
                        .addKeyValue("kinds", new TreeSet<>(awaited))
                        .addKeyValue("pods", kept.size())
                        .log("Pending pods wait for the first lists of other kinds");
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while other kinds were listed", stop);
        }
    }

    /// What breaks on the way is still kept, for the next complete list.
    private void passOn() {
        for (var pods = kept.values().iterator(); pods.hasNext(); pods.remove()) {
            feed.seen(pods.next());
        }
        keeps = false;
    }
}
