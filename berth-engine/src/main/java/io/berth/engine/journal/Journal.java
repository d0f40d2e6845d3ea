package io.berth.engine.journal;

import io.berth.api.handle.Extender;
import io.berth.engine.message.Message;
import java.util.List;
import java.util.function.LongSupplier;

/// Sees what an engine's decisions follow from, in order, and the decisions.
///
/// ```
///   begin ─► (told* · answer* · decided* · step)*
/// ```
///
/// A step's border comes after all that belongs to it. Called on the engine thread, which never
/// waits for it: implementations keep what they are given, or drop it. By default nothing is kept.
public interface Journal {
    Journal NONE = new Journal() {};

    /// Whether anything is kept.
    default boolean isOn() {
        return false;
    }

    /// What is kept, oldest first; engine thread only.
    default List<Entry> entries() {
        return List.of();
    }

    /// An engine begins.
    ///
    /// @param seed of its chance
    /// @param nowMillis what its clock says
    /// @param isTimed whether it has metrics, for which plugins are asked once more now and then
    default void begin(long seed, long nowMillis, boolean isTimed) {}

    /// The engine is told something, from outside.
    default void told(Message message) {}

    /// Looks at something that others change at any time: what another thread has done so far,
    /// chance that is not the engine's own. What was seen belongs to what decisions follow from.
    default long answer(LongSupplier look) {
        return look.getAsLong();
    }

    /// A service that takes part in decisions, with its answers seen here.
    default Extender seen(Extender extender) {
        return extender;
    }

    /// The engine made up its mind about a pod.
    default void decided(Decision decision) {}

    /// A step has ended that did something.
    ///
    /// @param taken how many messages from outside it took
    /// @param nowMillis what the engine's clock said in it
    /// @param wallMillis what the wall clock said
    default void step(int taken, long nowMillis, long wallMillis) {}
}
