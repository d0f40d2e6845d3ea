package io.berth.engine.message;

/// Why a binding came to nothing, as its thread saw it.
///
/// @param isRejection a plugin said no; otherwise something broke
/// @param message what users read
public record Setback(boolean isRejection, String message) {
    /// Something broke.
    public static Setback broken(Throwable why) {
        return new Setback(false, String.valueOf(why.getMessage()));
    }
}
