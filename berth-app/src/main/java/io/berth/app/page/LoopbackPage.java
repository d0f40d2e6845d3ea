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
    private final LiveExplanations explanations;
    private final Page page;
    private final HttpServer server;
    private final Doorkeeper door;

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
        var socket = ListenSocket.bind(InetAddress.getLoopbackAddress(), port, false, false);
        door = new Doorkeeper(socket.port(), key);
        explanations =
                new LiveExplanations(
                        subject.kind,
                        subject.settings,
                        subject.registry,
                        subject.version,
                        subject.state);
        page = page(subject.title, subject.state, explanations);
        var mux = new Mux();
        page.install(mux);
        mux.unlisted("/", Page::redirect);
        mux.unlistedPrefix(ExplainPage.PREFIX, new ExplainPage(explanations, new WithLink()));
        var log = new ProcessLog(_ -> {});
        server =
                HttpServer.insecure(
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
        server.close();
        page.close();
        explanations.close();
    }
}
