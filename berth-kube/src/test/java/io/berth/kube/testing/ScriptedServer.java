package io.berth.kube.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// An HTTP/1.1 server on loopback whose answers a test writes itself, down to the bytes: it can
/// break off in the middle, go silent, or say nonsense. One connection serves one request.
public final class ScriptedServer implements AutoCloseable {
    /// A request as it came.
    public record Request(
            String verb,
            String path,
            Map<String, String> query,
            Map<String, String> headers,
            String body) {
        public String parameter(String name) {
            return query.getOrDefault(name, "");
        }

        public boolean isWatch() {
            return parameter("watch").equals("true");
        }
    }

    /// Answers one request.
    public interface Script {
        void answer(Request request, Answer answer) throws IOException, InterruptedException;
    }

    /// The way back to the client.
    public static final class Answer {
        private final OutputStream out;

        private Answer(OutputStream out) {
            this.out = out;
        }

        /// A complete answer.
        public void send(int code, String body, String... headers) throws IOException {
            send(code, "application/json", body.getBytes(StandardCharsets.UTF_8), headers);
        }

        public void send(int code, String contentType, byte[] bytes, String... headers)
                throws IOException {
            var head = new StringBuilder("HTTP/1.1 " + code + " X\r\nConnection: close\r\n");
            head.append("Content-Type: ").append(contentType).append("\r\n");
            for (int i = 0; i < headers.length; i += 2) {
                head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
            }
            head.append("Content-Length: ").append(bytes.length).append("\r\n\r\n");
            out.write(head.toString().getBytes(StandardCharsets.UTF_8));
            out.write(bytes);
            out.flush();
        }

        /// Begins an answer of unknown length.
        public Answer begin() throws IOException {
            return begin("application/json");
        }

        public Answer begin(String contentType) throws IOException {
            String head =
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: "
                            + contentType
                            + "\r\n\r\n";
            out.write(head.getBytes(StandardCharsets.UTF_8));
            out.flush();
            return this;
        }

        /// Sends a piece of it, followed by a line break.
        public Answer line(String text) throws IOException {
            return piece(text + "\n");
        }

        public Answer piece(String text) throws IOException {
            return piece(text.getBytes(StandardCharsets.UTF_8));
        }

        public Answer piece(byte[] bytes) throws IOException {
            out.write(
                    (Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.UTF_8));
            out.write(bytes);
            out.write("\r\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            return this;
        }

        /// Ends it properly; returning without this breaks the connection.
        public void end() throws IOException {
            out.write("0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        /// Leaves the connection open and silent until the server closes.
        public void hang() throws InterruptedException {
            Thread.sleep(60_000);
        }
    }

    private final ServerSocket listener;
    private final Script script;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Thread acceptor;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public ScriptedServer(Script script) throws IOException {
        this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
    }

    /// @param listener any server socket, such as one with TLS
    public ScriptedServer(ServerSocket listener, Script script) {
        this.listener = listener;
        this.script = script;
        this.acceptor = Thread.ofVirtual().name("scripted-server").start(this::accept);
    }

    public URI uri() {
        String scheme = listener instanceof javax.net.ssl.SSLServerSocket ? "https" : "http";
        return URI.create(scheme + "://127.0.0.1:" + listener.getLocalPort());
    }

    public int port() {
        return listener.getLocalPort();
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /// What went wrong in scripts, apart from connections that the client closed.
    public List<Throwable> failures() {
        return List.copyOf(failures);
    }

    private void accept() {
        while (!closed) {
            try {
                var socket = listener.accept();
                sockets.add(socket);
                threads.add(Thread.ofVirtual().start(() -> serve(socket)));
            } catch (IOException ended) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in =
                    new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            var request = read(in);
            if (request != null) {
                requests.add(request);
                script.answer(request, new Answer(socket.getOutputStream()));
            }
        } catch (IOException | InterruptedException gone) {
            // The client, or the test, has had enough.
        } catch (RuntimeException | AssertionError mistake) {
            failures.add(mistake);
        }
    }

    private static @org.jspecify.annotations.Nullable Request read(BufferedReader in)
            throws IOException {
        String first = in.readLine();
        if (first == null) {
            return null;
        }
        String[] parts = first.split(" ", -1);
        var headers = new HashMap<String, String>();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(java.util.Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        char[] body = new char[Integer.parseInt(headers.getOrDefault("content-length", "0"))];
        for (int at = 0; at < body.length; ) {
            int count = in.read(body, at, body.length - at);
            if (count < 0) {
                throw new IOException("truncated request");
            }
            at += count;
        }
        String[] target = parts[1].split("\\?", 2);
        var query = new HashMap<String, String>();
        if (target.length > 1) {
            for (var pair : target[1].split("&", -1)) {
                String[] entry = pair.split("=", 2);
                query.put(entry[0], URLDecoder.decode(entry[1], StandardCharsets.UTF_8));
            }
        }
        return new Request(parts[0], target[0], query, headers, new String(body));
    }

    /// Ends everything under way. Connections are refused from then on.
    @Override
    public void close() {
        closed = true;
        try {
            listener.close();
            // Until its thread has left it the system goes on to accept connections.
            acceptor.join(Patience.LIMIT);
            for (var socket : sockets) {
                socket.close();
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        threads.forEach(Thread::interrupt);
    }
}
