package io.berth.kube.client;

import java.net.URI;
import org.apache.hc.core5.concurrent.Cancellable;
import org.apache.hc.core5.concurrent.CancellableDependency;
import org.apache.hc.core5.concurrent.ComplexCancellable;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;

/// A request in the words of HTTP. Any thread may cancel it, whatever it is waiting for.
final class Message extends BasicClassicHttpRequest implements CancellableDependency {
    private static final long serialVersionUID = 1L;

    private final transient ComplexCancellable state = new ComplexCancellable();

    Message(String verb, URI target) {
        super(verb, target);
    }

    /// To the server of another one, whose address need not be read again.
    ///
    /// @param path with the query, begins with a slash
    Message(String verb, Message other, String path) {
        super(verb, other.getScheme(), other.getAuthority(), checked(path));
    }

    /// What stands in the first line of a request must not end it.
    private static String checked(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) <= ' ') {
                throw new IllegalArgumentException("a path that is not escaped: " + path);
            }
        }
        return path;
    }

    @Override
    public boolean isCancelled() {
        return state.isCancelled();
    }

    @Override
    public void setDependency(Cancellable dependency) {
        state.setDependency(dependency);
    }

    @Override
    public boolean cancel() {
        return state.cancel();
    }
}
