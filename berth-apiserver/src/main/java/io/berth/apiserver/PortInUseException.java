package io.berth.apiserver;

/// The port that the server was told to listen on belongs to somebody else.
public final class PortInUseException extends RuntimeException {
    private final int port;

    PortInUseException(int port, Throwable cause) {
        super(
                "port "
                        + port
                        + " on 127.0.0.1 is in use; choose another one, or 0 for any free port",
                cause);
        this.port = port;
    }

    public int port() {
        return port;
    }
}
