package io.berth.plugins.device;

import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceClaim;
import io.berth.api.model.Node;
import io.berth.api.model.ResourceClaim;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Whether claims of one shape can be had on each node. A node is searched again only when
/// something changed there that its answer follows from; claims that ask for the same share the
/// answers.
///
/// Owned by the engine thread.
public final class KeptAnswers {
    private static final byte FITS = 1;
    private static final byte FULL = 2;
    private static final byte BROKEN = 3;
    private static final int MAX_SUBREQUESTS = 8;
    private static final int MAX_SLOTS = 1 << 20;

    static final String CANNOT = "cannot allocate all claims";

    private final DeviceBook book;
    private final Allocator allocator;
    private long[] stamps = {};
    private byte[] answers = {};
    private int[] scores = {};
    private final Map<Integer, String> reasons = new HashMap<>();
    private int searches;

    KeptAnswers(DeviceBook book, Allocator allocator) {
        this.book = book;
        this.allocator = allocator;
    }

    /// Whether all claims can be had on the node.
    ///
    /// @param claims of this shape; their names are for messages
    /// @param patience how long a search may take
    /// @throws AllocationException where the attempt has to end
    public boolean fits(int slot, Node node, List<ResourceClaim> claims, Patience patience)
            throws AllocationException {
        refresh(slot, node, claims, patience);
        return answers[slot] == FITS;
    }

    /// Why they cannot be had on a node where they do not fit.
    public String reason(int slot) {
        return reasons.getOrDefault(slot, CANNOT);
    }

    /// What the node is worth by which subrequests it would satisfy (DR-16).
    public long score(int slot) {
        return slot < scores.length ? scores[slot] : 0;
    }

    private void refresh(int slot, Node node, List<ResourceClaim> claims, Patience patience)
            throws AllocationException {
        if (slot >= answers.length) {
            grow(slot);
        }
        long stamp = book.stamp(slot);
        if (answers[slot] != 0 && stamps[slot] == stamp) {
            return;
        }
        book.follow(slot, node);
        searches++;
        answers[slot] = 0;
        reasons.remove(slot);
        answers[slot] = search(slot, node, claims, patience);
        stamps[slot] = stamp;
    }

    private void grow(int slot) {
        int size = Math.min(MAX_SLOTS, Math.max(slot + 1, 2 * answers.length));
        answers = Arrays.copyOf(answers, size);
        stamps = Arrays.copyOf(stamps, size);
        scores = Arrays.copyOf(scores, size);
    }

    private byte search(int slot, Node node, List<ResourceClaim> claims, Patience patience)
            throws AllocationException {
        try {
            var found = allocator.allocate(node, claims, () -> "", patience);
            scores[slot] = found == null ? 0 : score(claims, found);
            return found == null ? FULL : FITS;
        } catch (AllocationException failed) {
            if (failed.reach() != AllocationException.Reach.NODE) {
                throw failed;
            }
            reasons.put(slot, String.valueOf(failed.getMessage()));
            return BROKEN;
        }
    }

    /// The points for the subrequests that a claim has got: the earlier in its list the more.
    public static int score(List<ResourceClaim> claims, List<DeviceAllocation> allocations) {
        int sum = 0;
        for (int i = 0; i < claims.size(); i++) {
            for (var request : claims.get(i).spec().requests()) {
                sum += score(request, allocations.get(i));
            }
        }
        return sum;
    }

    private static int score(DeviceClaim.Request request, @Nullable DeviceAllocation allocation) {
        if (allocation == null || request.exactly() != null) {
            return 0;
        }
        int sum = 0;
        for (int i = 0; i < request.firstAvailable().size(); i++) {
            String name = request.name() + "/" + request.firstAvailable().get(i).name();
            for (var result : allocation.results()) {
                if (result.request().equals(name)) {
                    sum += MAX_SUBREQUESTS - i;
                    break;
                }
            }
        }
        return sum;
    }

    /// How many nodes were searched.
    int searches() {
        return searches;
    }
}
