package io.berth.ui;

import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Value;
import io.berth.serving.http.Call;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// `GET /berth/v1/stream`: what happens, as server-sent events.
///
/// Each client has a thread of the port that reads what is kept and writes what is new to that
/// client, all of it brought up to date at each turn. A client that takes nothing keeps that thread
/// waiting, and nobody else; there may be few of them, and whoever takes nothing for long has to
/// leave when others come.
final class StreamPage implements Endpoint {
    static final int MOST_STREAMS = 12;
    static final int MOST_DECISIONS = 200;

    /// Beyond this many a client does better to fetch the map anew.
    static final int MOST_SLOTS = 4_000;

    /// Which one, and its columns.
    private static final int VALUES_PER_SLOT = 6;

    private static final Duration TURN = Duration.ofMillis(250);

    /// That a client has left shows when something is written to it: until then it holds a place,
    /// and somebody who loads the page again and again holds them all.
    private static final int SIGN_OF_LIFE_TURNS = 4;

    private final Sight sight;
    private final String title;
    private final Duration patience;

    /// Numbers of decisions of one process mean nothing to another.
    private final String epoch = Long.toHexString(System.nanoTime());

    private final Set<Stream> open = ConcurrentHashMap.newKeySet();

    StreamPage(Sight sight, String title) {
        this(sight, title, Duration.ofSeconds(10));
    }

    /// @param patience with a client that does not take what is written
    StreamPage(Sight sight, String title, Duration patience) {
        this.sight = sight;
        this.title = title;
        this.patience = patience;
    }

    @Override
    public Reply answer(Call call) {
        if (!call.method().equals("GET")) {
            return Reply.error(405, "method not allowed: the stream is read with GET");
        }
        long since;
        var text = call.parameter("since");
        try {
            since = text.isEmpty() ? 0 : Long.parseLong(text);
            since = call.parameter("epoch").equals(epoch) ? since : 0;
        } catch (NumberFormatException noNumber) {
            return Reply.error(400, "since must be a whole number");
        }
        open.forEach(Stream::endIfStuck);
        if (open.size() >= MOST_STREAMS) {
            return Reply.error(429, "too many pages are open; close one").with("Retry-After", "5");
        }
        long known = since;
        return Reply.streamed(200, "text/event-stream", client -> new Stream(client, known).write())
                .noSniffing();
    }

    /// One client.
    private final class Stream {
        private final OutputStream client;
        private final Thread thread = Thread.currentThread();
        private long seq;
        private long generation;
        private long version;
        private long queueVersion = -1;
        private String told = "";
        private int quietTurns;

        /// When what is being written was begun; 0 where nothing is.
        private volatile long writingSince;

        Stream(OutputStream client, long since) {
            this.client = client;
            this.seq = since;
        }

        void write() throws IOException, InterruptedException {
            open.add(this);
            try {
                // Others may have come since the call was answered; who is too many tries again.
                if (open.size() <= MOST_STREAMS) {
                    follow();
                }
            } finally {
                open.remove(this);
            }
        }

        private void follow() throws IOException, InterruptedException {
            try (var _ = sight.watch()) {
                while (!Thread.currentThread().isInterrupted()) {
                    turn();
                    Thread.sleep(TURN);
                }
            }
        }

        /// Lets go of a client that does not take what is written to it.
        void endIfStuck() {
            long since = writingSince;
            if (since != 0 && System.nanoTime() - since > patience.toNanos()) {
                thread.interrupt();
            }
        }

        private void turn() throws IOException {
            var picture = sight.picture();
            var news = new StringBuilder();
            summary(picture, news);
            map(picture.map(), news);
            decisions(news);
            if (picture.queueVersion() != queueVersion && picture.image() != null) {
                queueVersion = picture.queueVersion();
                event(news, "queue", new FieldsBuilder().put("version", queueVersion).build());
            }
            quietTurns = news.isEmpty() ? quietTurns + 1 : 0;
            if (quietTurns >= SIGN_OF_LIFE_TURNS) {
                quietTurns = 0;
                news.append(": still here\n\n");
            }
            if (!news.isEmpty()) {
                writingSince = System.nanoTime() | 1;
                client.write(news.toString().getBytes(StandardCharsets.UTF_8));
                client.flush();
                writingSince = 0;
            }
        }

        private void summary(Picture picture, StringBuilder news) {
            var summary =
                    new FieldsBuilder()
                            .put("title", title)
                            .put("epoch", epoch)
                            .put("nodes", picture.map().size())
                            .put("pods", picture.pods())
                            .put("pending", picture.pending())
                            .put("bound", sight.decisions().bound())
                            .putIfSet("problem", picture.problem())
                            .build();
            var text = JsonWriter.write(summary);
            if (!text.equals(told)) {
                told = text;
                event(news, "summary", summary);
            }
        }

        private void map(NodeMap map, StringBuilder news) {
            if (map.version == version) {
                return;
            }
            var fields =
                    new FieldsBuilder()
                            .put("generation", map.generation)
                            .put("version", map.version);
            if (map.generation != generation) {
                event(news, "map", fields.put("reload", true).build());
            } else {
                var values = new ArrayList<Value>();
                for (int slot = 0; slot < map.size(); slot++) {
                    if (map.changed[slot] > version) {
                        values.add(Value.of((long) slot));
                        values.add(Value.of((long) (map.cpu[slot] & 0xff)));
                        values.add(Value.of((long) (map.memory[slot] & 0xff)));
                        values.add(Value.of((long) (map.pods[slot] & 0xff)));
                        values.add(Value.of((long) (map.devices[slot] & 0xff)));
                        values.add(Value.of((long) (map.state[slot] & 0xff)));
                    }
                }
                boolean isMuch = values.size() > MOST_SLOTS * VALUES_PER_SLOT;
                event(
                        news,
                        "map",
                        (isMuch ? fields.put("reload", true) : fields.put("c", Value.of(values)))
                                .build());
            }
            generation = map.generation;
            version = map.version;
        }

        private void decisions(StringBuilder news) {
            var fresh = sight.decisions().after(seq, MOST_DECISIONS);
            if (fresh.isEmpty()) {
                return;
            }
            long left = seq == 0 ? 0 : fresh.getFirst().seq() - seq - 1;
            seq = fresh.getLast().seq();
            news.append("id: ").append(seq).append('\n');
            event(
                    news,
                    "decisions",
                    new FieldsBuilder()
                            .putIfSet("left", left)
                            .put("items", Value.of(fresh.stream().map(Decision::json).toList()))
                            .build());
        }

        private static void event(StringBuilder news, String name, Value data) {
            news.append("event: ").append(name).append("\ndata: ");
            news.append(JsonWriter.write(data).replace("\n", "")).append("\n\n");
        }
    }
}
