package io.berth.controllers.workload;

import io.berth.controllers.client.Resource;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.Held;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Meta;
import io.berth.controllers.object.Owner;
import io.berth.controllers.object.Selector;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Which changes have which owners looked at.
public final class Notices {
    private Notices() {}

    /// An object that changed is looked at.
    public static <T extends Held> void ofItself(Informer<T> informer, Loop loop) {
        informer.listen((before, after) -> loop.enqueue(either(before, after).meta().key()));
    }

    /// The owner of something that changed is looked at; something new that nobody owns has all
    /// those looked at that may want it.
    public static <T extends Held> void ofOwner(
            Informer<T> owned,
            Informer<KubeObject> owners,
            Loop loop,
            Function<KubeObject, Selector> selector) {
        Resource kind = owners.resource();
        owned.listen((before, after) -> {
            Optional<String> was = before == null ? Optional.empty() : owner(before.meta(), kind);
            was.ifPresent(loop::enqueue);
            if (after == null) {
                return;
            }
            Meta meta = after.meta();
            owner(meta, kind).filter(key -> !was.equals(Optional.of(key))).ifPresent(loop::enqueue);
            if (meta.controller().isEmpty() && !meta.labels().isEmpty() && !meta.isDeleting()) {
                owners.inNamespace(meta.namespace()).stream()
                        .filter(each -> selector.apply(each).test(meta.labels()))
                        .forEach(each -> loop.enqueue(each.meta().key()));
            }
        });
    }

    private static Optional<String> owner(Meta meta, Resource kind) {
        return meta.controller()
                .filter(owner -> owner.kind().equals(kind.kind()))
                .map(Owner::name)
                .map(name -> Meta.key(meta.namespace(), name));
    }

    /// The newer one, or the last one there was.
    public static <T> T either(@Nullable T before, @Nullable T after) {
        if (after != null) {
            return after;
        }
        if (before != null) {
            return before;
        }
        throw new IllegalStateException("a change of nothing into nothing");
    }
}
