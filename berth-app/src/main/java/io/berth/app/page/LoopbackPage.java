package io.berth.app.page;

import io.berth.app.explain.ExplainPage;
import io.berth.app.explain.LiveExplanations;
import io.berth.app.explain.LiveState;
import io.berth.app.log.ProcessLog;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.Registry;
import io.berth.lab.explain.Source;
import io.berth.serving.auth.Authority;
import io.berth.serving.auth.ResourceRight;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.HandlerChain;
import io.berth.serving.http.HttpServer;
import io.berth.serving.http.ListenSocket;
import io.berth.serving.http.Mux;
import io.berth.serving.http.User;
import io.berth.ui.Doorkeeper;
import io.berth.ui.Page;
import io.berth.ui.Sample;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// The page on a port of its own that only this machine reaches, for whoever has the link.
public final class LoopbackPage implements AutoCloseable {
    private final HttpServer server;
    private final Doorkeeper door;

    /// What ends before the port does.
    private final Runnable before;

    /// What ends after it.
    private final Runnable after;

    /// What is looked at.
    ///
    /// @param title in a few words
    /// @param version of this program
    /// @param state what there is at present
    public record Subject(
            String title,
            Source.Kind kind,
            String version,
            EngineSettings settings,
            Registry registry,
            Supplier<CompletableFuture<LiveState>> state) {}

    /// @param port 0 for any free one
    /// @throws io.berth.serving.tls.ServingException where the port cannot be had
    public LoopbackPage(Subject subject, int port) {
        this(subject, port, Doorkeeper.newKey());
    }

    /// The same for those who have a link with that key already.
    public LoopbackPage(Subject subject, int port, String key) {
        var socket = socket(port);
        door = new Doorkeeper(socket.port(), key);
        var explanations =
                new LiveExplanations(
                        subject.kind,
                        subject.settings,
                        subject.registry,
                        subject.version,
                        subject.state);
        var page = page(subject.title, subject.state, explanations);
        var mux = new Mux();
        page.install(mux);
        mux.unlistedPrefix(ExplainPage.PREFIX, new ExplainPage(explanations, new WithLink()));
        server = serve(socket, mux, door);
        before = () -> {};
        after =
                () -> {
                    page.close();
                    explanations.close();
                };
    }

    /// The page with others behind it.
    ///
    /// @param calls answers what the page asks for
    /// @param end has those stop waiting who answer, when the page ends
    public LoopbackPage(Endpoint calls, Runnable end, int port) {
        var socket = socket(port);
        door = new Doorkeeper(socket.port(), Doorkeeper.newKey());
        var mux = new Mux();
        Page.installFiles(mux);
        mux.unlistedPrefix(ExplainPage.PREFIX, calls);
        server = serve(socket, mux, door);
        before = end;
        after = () -> {};
    }

    private static ListenSocket socket(int port) {
        return ListenSocket.bind(InetAddress.getLoopbackAddress(), port, false, false);
    }

    private static HttpServer serve(ListenSocket socket, Mux mux, Doorkeeper door) {
        mux.unlisted("/", Page::redirect);
        var log = new ProcessLog(_ -> {});
        return HttpServer.insecure(
                socket,
                HandlerChain.secure(mux, door, (call, inner) -> inner.answer(call), log),
                log);
    }

    /// The page about what an engine or a list of objects says.
    public static Page page(
            String title,
            Supplier<CompletableFuture<LiveState>> state,
            LiveExplanations explanations) {
        return new Page(
                title,
                () -> state.get().thenApply(now -> new Sample(now.image(), now.queue())),
                explanations.studies());
    }

    /// What a browser is to open. Whoever has it may look.
    public String link() {
        return "http://127.0.0.1:%d%s#key=%s".formatted(server.port(), Page.START, door.key());
    }

    /// Whoever has the link sees what the one sees who started this.
    private static final class WithLink implements Authority {
        @Override
        public boolean mayGet(User user, String path) {
            return true;
        }

        @Override
        public boolean may(User user, ResourceRight right) {
            return true;
        }
    }

    @Override
    public void close() {
        before.run();
        server.close();
        after.run();
    }
}
