package io.berth.sim.cluster;

import io.berth.api.handle.ClusterException;
import io.berth.api.handle.ClusterWrites;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.ResourceClaim;
import io.berth.api.write.Departure;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import io.berth.sim.time.Strands;
import io.berth.sim.time.VirtualTime;
import org.jspecify.annotations.Nullable;

/// The writes of one scheduler process. A call pauses its strand until the answer is there; what is
/// on its way to the server takes effect even when the process ends meanwhile.
///
/// ```
///   asked ──► in line ──► leaves ──┬──► carried out ──► answered
///               ▲                  │
///               └── 429, told to ask again later
/// ```
public final class SimulatedWrites implements ClusterWrites {
    /// Hears of writes as they are sent, carried out and answered.
    public interface Witness {
        void sent(Write write);

        /// @param isLate whether whoever asked for it has given up waiting, or is no more
        void carriedOut(Write write, boolean isLate);

        /// @param failure null where it succeeded
        void answered(Write write, @Nullable ClusterException failure);

        void told(String line);
    }

    private final ApiServer server;
    private final VirtualTime time;
    private final Strands strands;
    private final WriteFaults faults;
    private final Witness witness;
    private final ClaimDesk claims;

    public SimulatedWrites(
            ApiServer server,
            VirtualTime time,
            Strands strands,
            WriteFaults faults,
            Witness witness) {
        this.server = server;
        this.time = time;
        this.strands = strands;
        this.faults = faults;
        this.witness = witness;
        this.claims = new ClaimDesk(server);
    }

    @Override
    public ClusterObject read(Kind kind, String namespace, String name) {
        sleep(faults.readMillis());
        var stored = server.find(kind, namespace.isEmpty() ? name : namespace + "/" + name);
        if (stored == null) {
            throw new ClusterException(
                    ClusterException.Kind.NOT_FOUND, kind.plural() + " \"" + name + "\" not found");
        }
        if (faults.isReadLost()) {
            throw new ClusterException(ClusterException.Kind.UNAVAILABLE, "simulated UNAVAILABLE");
        }
        return stored.object();
    }

    @Override
    public Receipt send(Write write, Departure departure) {
        if (write instanceof Write.PatchStatus patch && isSaid(patch)) {
            return departure.leaves() ? Receipt.SENT : Receipt.WITHDRAWN;
        }
        sleep(faults.lineMillis(write));
        if (!departure.leaves()) {
            return Receipt.WITHDRAWN;
        }
        long asked = time.nowMillis();
        for (long again = faults.retryAfterMillis(); again > 0; again = faults.retryAfterMillis()) {
            if (time.nowMillis() + again - asked > WriteFaults.PATIENCE_MILLIS) {
                throw failed(ClusterException.Kind.UNAVAILABLE, write);
            }
            departure.comesBack();
            sleep(again);
            if (!departure.leaves()) {
                return Receipt.WITHDRAWN;
            }
        }
        return carryOut(write);
    }

    private void sleep(long millis) {
        if (millis > 0) {
            var strand = strands.current();
            time.in(millis, () -> strands.resume(strand));
            strands.pause();
        }
    }

    private Receipt carryOut(Write write) {
        witness.sent(write);
        Receipt receipt;
        try {
            receipt = exchange(write);
        } catch (ClusterException failure) {
            witness.answered(write, failure);
            throw failure;
        }
        witness.answered(write, null);
        return receipt;
    }

    private Receipt exchange(Write write) {
        var fate = faults.next(write);
        var strand = strands.current();
        var refusal = new @Nullable ClusterException[1];
        var receipt = new Receipt[] {Receipt.SENT};
        var isAnswered = new boolean[1];
        if (fate.happens() == WriteFate.Effect.DONE) {
            time.in(
                    fate.effectMillis(),
                    () -> refusal[0] = effect(write, isAnswered[0] || strand.hasEnded(), receipt));
        }
        if (fate.answerMillis() != WriteFate.NEVER) {
            time.in(fate.answerMillis(), () -> strands.resume(strand));
        }
        strands.pause();
        isAnswered[0] = true;
        if (fate.failure() != null) {
            throw failed(fate.failure(), write);
        }
        if (refusal[0] != null) {
            throw refusal[0];
        }
        return receipt[0];
    }

    private ClusterException failed(ClusterException.Kind kind, Write write) {
        witness.told("answer: " + kind + " to " + words(write));
        return new ClusterException(kind, "simulated " + kind);
    }

    /// @return the server's refusal; null where it did what it was asked to
    private @Nullable ClusterException effect(Write write, boolean isLate, Receipt[] receipt) {
        try {
            receipt[0] = apply(write);
        } catch (ClusterException refused) {
            witness.told("server: no " + words(write) + ": " + refused.getMessage());
            return refused;
        }
        witness.told("server: " + words(write));
        witness.carriedOut(write, isLate);
        return null;
    }

    private Receipt apply(Write write) {
        switch (write) {
            case Write.Bind(var pod, var node) -> server.bind(pod.key(), pod.uid(), node);
            case Write.PatchStatus patch ->
                    server.patchStatus(patch.pod(), patch.condition(), patch.nominatedNodeName());
            case Write.PatchObject patch -> throw unknown(patch);
            case Write.OfDevices devices -> {
                return claims.apply(devices);
            }
            case Write.Delete(var pod) -> server.delete(pod.key(), pod.uid());
            case Write.ReserveVolume reserve -> {
                return Receipt.of(server.reserve(reserve));
            }
            case Write.SelectNode select -> {
                return Receipt.of(server.select(select));
            }
        }
        return Receipt.SENT;
    }

    private static boolean isSaid(Write.PatchStatus patch) {
        var condition = patch.condition();
        var nomination = patch.nominatedNodeName();
        return (condition == null || condition.equals(patch.pod().condition(condition.type())))
                && (nomination == null || nomination.equals(patch.pod().nominatedNodeName()));
    }

    private static String words(Write write) {
        return switch (write) {
            case Write.Bind(var pod, var node) -> "bind " + pod.key() + " to " + node;
            case Write.PatchStatus patch ->
                    "patch "
                            + patch.pod().key()
                            + (patch.nominatedNodeName() == null
                                    ? ""
                                    : " ->" + patch.nominatedNodeName());
            case Write.PatchObject patch -> throw unknown(patch);
            case Write.OfDevices devices -> words(devices);
            case Write.Delete(var pod) -> "delete " + pod.key();
            case Write.ReserveVolume(var volume, var claim, _) ->
                    "reserve " + volume.name() + " for " + claim.key();
            case Write.SelectNode(var claim, var node) -> "select " + node + " for " + claim.key();
        };
    }

    private static String words(Write.OfDevices write) {
        return switch (write) {
            case Write.ProtectClaim(var claim) -> "protect " + claim.key();
            case Write.SetClaimStatus(var claim, var wanted) ->
                    "allocate "
                            + claim.key()
                            + " "
                            + (wanted.allocation() == null
                                    ? "nothing"
                                    : wanted.allocation().results().stream()
                                            .map(result -> result.device().toString())
                                            .toList())
                            + " for "
                            + wanted.reservedFor().stream()
                                    .map(ResourceClaim.Consumer::name)
                                    .toList();
            case Write.ReleaseClaim(var claim, var consumer) ->
                    "release " + claim.key() + " of " + consumer;
            case Write.CreateClaim(var pod, _) -> "create claim for " + pod.key();
            case Write.DeleteClaim(var claim) -> "delete claim " + claim.key();
            case Write.NameClaim(var pod, var extended) ->
                    "name " + extended.claimName() + " for " + pod.key();
        };
    }

    /// No plugin of the simulated profiles writes anything else.
    private static IllegalStateException unknown(Write write) {
        return new IllegalStateException("not simulated: " + write);
    }
}
