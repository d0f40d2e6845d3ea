package io.berth.ui;

import io.berth.serving.http.Call;
import io.berth.serving.http.Mux;
import io.berth.serving.http.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// The page and its calls, to be added to a port. Who may see it is the port's business.
public final class Page implements AutoCloseable {
    /// Where a browser begins.
    public static final String START = Assets.PREFIX;

    /// Where it hears what happens.
    public static final String STREAM = "/berth/v1/stream";

    private final Sight sight;
    private final StreamPage stream;
    private final MapPage map;
    private final PlayPage play;

    /// @param title what is looked at, in a few words
    /// @param cluster asked for what there is, while somebody watches
    public Page(String title, Supplier<CompletableFuture<Sample>> cluster, Studies studies) {
        this.sight = new Sight(cluster);
        this.stream = new StreamPage(sight, title);
        this.map = new MapPage(sight, studies);
        this.play = new PlayPage(studies);
    }

    /// Adds its files to what a port serves, where its calls are answered by others.
    public static void installFiles(Mux mux) {
        mux.unlisted("/ui", Page::redirect);
        mux.unlistedPrefix(Assets.PREFIX, new Assets());
    }

    /// Adds it to what a port serves.
    public void install(Mux mux) {
        installFiles(mux);
        mux.unlisted(STREAM, stream);
        mux.unlisted(MapPage.MAP, map);
        mux.unlisted(MapPage.NODE, map);
        mux.unlisted(MapPage.VERDICTS, map);
        mux.unlisted("/berth/v1/play", play);
    }

    /// To where a browser begins.
    public static Reply redirect(Call call) {
        return Reply.of(302, Reply.PLAIN, "").with("Location", START);
    }

    @Override
    public void close() {
        sight.close();
    }
}
