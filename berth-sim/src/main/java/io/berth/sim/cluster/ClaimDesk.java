package io.berth.sim.cluster;

import io.berth.api.model.Kind;
import io.berth.api.model.ResourceClaim;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import io.berth.testkit.ClaimWrites;
import org.jspecify.annotations.Nullable;

/// Where schedulers write down who has which devices.
final class ClaimDesk {
    private final ApiServer server;

    ClaimDesk(ApiServer server) {
        this.server = server;
    }

    Receipt apply(Write.OfDevices write) {
        return switch (write) {
            case Write.OfClaim change -> {
                var now = find(change.claim().key());
                var after = ClaimWrites.after(change, now);
                if (after == null) {
                    server.remove(Kind.RESOURCE_CLAIM, change.claim().key());
                    yield Receipt.SENT;
                }
                // What changes nothing is no change.
                yield after.equals(now) ? answer(after) : put(after);
            }
            case Write.CreateClaim create -> {
                var uid = server.newUid();
                yield put(ClaimWrites.made(create, uid, uid));
            }
            case Write.NameClaim name -> {
                var pod = name.pod();
                server.put(ClaimWrites.named(name, server.existing(pod.key(), pod.uid())));
                yield Receipt.SENT;
            }
        };
    }

    private Receipt put(ResourceClaim wanted) {
        server.put(wanted);
        var now = find(wanted.key());
        if (now == null) {
            throw ClaimWrites.notFound(wanted.key());
        }
        return answer(now);
    }

    private static Receipt answer(ResourceClaim claim) {
        return Receipt.of(claim, claim.resourceVersion());
    }

    private @Nullable ResourceClaim find(String key) {
        var stored = server.find(Kind.RESOURCE_CLAIM, key);
        return stored == null ? null : (ResourceClaim) stored.object();
    }
}
