package com.example.rackpower;

import io.berth.api.handle.ClusterException;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.model.CustomObject;
import io.berth.api.model.Kind;
import io.berth.api.write.Write;
import java.util.Map;

/// The racks and their budgets: those of the arguments, and objects of our own kind `Rack` (see
/// `rack.yaml`), which go before them.
final class Racks {
    static final Kind KIND = Kind.of("example.com", "v1", "racks");

    private final Map<String, Long> fixed;
    private final Lister<CustomObject> watched;
    private final Handle handle;

    Racks(RackPowerArguments arguments, Handle handle) {
        this.fixed = arguments.budgets();
        this.watched = handle.listers().of(KIND, CustomObject.class);
        this.handle = handle;
    }

    boolean hasBudget(String rack) {
        return watts(watched.get(rack)) != null || fixed.containsKey(rack);
    }

    /// In watts.
    long budget(String rack) {
        var watts = watts(watched.get(rack));
        return watts != null ? watts : fixed.getOrDefault(rack, 0L);
    }

    /// Null where a rack says nothing of its power.
    static Long watts(CustomObject rack) {
        return rack != null && rack.at("spec", "watts") instanceof Long watts ? watts : null;
    }

    /// Notes in a rack's status which pod came last. Blocks, so it is for binding threads.
    void noteNewcomer(String rack, String pod) {
        try {
            handle.writes()
                    .send(
                            new Write.PatchObject(
                                    KIND, "", rack, "", Map.of("status", Map.of("lastPod", pod))));
        } catch (ClusterException refused) {
            // A rack of the arguments alone has no object.
            handle.log().info(2, "Rack was not told", "rack", rack, "err", refused.getMessage());
        }
    }
}
