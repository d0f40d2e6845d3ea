package io.berth.api.write;

/// What became of a write that did not fail.
///
/// @param isSent false where it was withdrawn in time
/// @param resourceVersion of the object as it is now; empty where the server does not say
public record Receipt(boolean isSent, String resourceVersion) {
    public static final Receipt WITHDRAWN = new Receipt(false, "");

    /// Carried out; nobody needs to know the object's version.
    public static final Receipt SENT = new Receipt(true, "");

    public static Receipt of(String resourceVersion) {
        return new Receipt(true, resourceVersion);
    }
}
