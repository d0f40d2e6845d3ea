package io.berth.testkit;

import io.berth.api.handle.ClusterException;
import io.berth.api.model.Kind;
import io.berth.api.model.ResourceClaim;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import io.berth.engine.port.ClusterFeed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// The resource claims of an [InMemoryCluster]. There are no drivers and no controllers here: what
/// these do the test does, by changing what there is.
public final class InMemoryDevices {
    private final Map<String, ResourceClaim> claims = new LinkedHashMap<>();
    private final Supplier<String> revision;
    private final Consumer<Consumer<ClusterFeed>> feed;
    private final Queue<Fault> faults = new ArrayDeque<>();
    private final List<Write.OfDevices> written = new ArrayList<>();
    private int made;

    private record Fault(
            Predicate<Write.OfDevices> hit, ClusterException failure, boolean isCarriedOut) {}

    InMemoryDevices(Supplier<String> revision, Consumer<Consumer<ClusterFeed>> feed) {
        this.revision = revision;
        this.feed = feed;
    }

    /// Creates or replaces a claim.
    public ResourceClaim put(ResourceClaim claim) {
        var stored = claim.at(revision.get());
        claims.put(stored.key(), stored);
        feed.accept(feed -> feed.seen(stored));
        return stored;
    }

    /// Replaces a claim without anybody hearing of it: the watch is behind.
    public ResourceClaim putUnseen(ResourceClaim claim) {
        var stored = claim.at(revision.get());
        claims.put(stored.key(), stored);
        return stored;
    }

    public ResourceClaim claim(String key) {
        var claim = claims.get(key);
        if (claim == null) {
            throw ClaimWrites.notFound(key);
        }
        return claim;
    }

    public List<ResourceClaim> claims() {
        return List.copyOf(claims.values());
    }

    public void change(String key, UnaryOperator<ResourceClaim> change) {
        put(change.apply(claim(key)));
    }

    public void remove(String key) {
        var claim = claim(key);
        claims.remove(key);
        feed.accept(feed -> feed.gone(Kind.RESOURCE_CLAIM, claim.namespace(), claim.name()));
    }

    /// What was asked for, carried out or not, in order.
    public List<Write.OfDevices> written() {
        return List.copyOf(written);
    }

    /// The next write of a sort fails with this.
    ///
    /// @param carriedOut whether the server does it all the same: the answer is lost
    public void failNext(
            Class<? extends Write.OfDevices> sort, ClusterException failure, boolean carriedOut) {
        faults.add(new Fault(sort::isInstance, failure, carriedOut));
    }

    Receipt carryOut(Write.OfDevices write) {
        return attempt(write, () -> apply(write));
    }

    void attempt(Write.NameClaim write, Runnable effect) {
        attempt(
                write,
                () -> {
                    effect.run();
                    return Receipt.SENT;
                });
    }

    private Receipt attempt(Write.OfDevices write, Supplier<Receipt> effect) {
        written.add(write);
        var fault = faults.stream().filter(each -> each.hit.test(write)).findFirst().orElse(null);
        if (fault == null) {
            return effect.get();
        }
        faults.remove(fault);
        if (fault.isCarriedOut) {
            var _ = effect.get();
        }
        throw fault.failure;
    }

    private Receipt apply(Write.OfDevices write) {
        return switch (write) {
            case Write.OfClaim change -> {
                var key = change.claim().key();
                var after = ClaimWrites.after(change, claims.get(key));
                if (after == null) {
                    remove(key);
                    yield Receipt.SENT;
                }
                yield answer(put(after));
            }
            case Write.CreateClaim create -> {
                String number = Integer.toString(++made);
                yield answer(
                        put(
                                ClaimWrites.made(
                                        create,
                                        number,
                                        "uid-%s-%s".formatted(create.pod().key(), number))));
            }
            case Write.NameClaim _ -> throw new IllegalArgumentException("a change of a pod");
        };
    }

    private static Receipt answer(ResourceClaim claim) {
        return Receipt.of(claim, claim.resourceVersion());
    }
}
