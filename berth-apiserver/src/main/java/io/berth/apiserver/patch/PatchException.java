package io.berth.apiserver.patch;

/// A patch that cannot be applied: the HTTP status and the message for the client.
public final class PatchException extends RuntimeException {
    private final int status;

    private PatchException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /// The patch document itself is malformed: 400.
    public static PatchException badRequest(String message) {
        return new PatchException(400, message);
    }

    /// The patch is well formed but does not fit the object: 422.
    public static PatchException unprocessable(String message) {
        return new PatchException(422, message);
    }

    /// The patch has more operations than a server takes: 413.
    public static PatchException tooLarge(String message) {
        return new PatchException(413, message);
    }

    public int status() {
        return status;
    }

    /// The message, never null.
    public String text() {
        return String.valueOf(getMessage());
    }
}
