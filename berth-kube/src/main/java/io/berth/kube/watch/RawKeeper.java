package io.berth.kube.watch;

import io.berth.api.model.Kind;
import io.berth.kube.codec.Decoded;

/// Keeps the JSON of objects for those who must pass them on whole. Called by the thread of each
/// kind's watch, before the feed hears of the object.
public interface RawKeeper {
    RawKeeper NONE =
            new RawKeeper() {
                @Override
                public boolean wants(Kind kind) {
                    return false;
                }

                @Override
                public void seen(Kind kind, Decoded object) {}

                @Override
                public void gone(Kind kind, String key, String uid) {}
            };

    /// Whether the JSON of this kind is wanted at all; asked once per stream.
    boolean wants(Kind kind);

    /// @param object with its JSON
    void seen(Kind kind, Decoded object);

    void gone(Kind kind, String key, String uid);
}
