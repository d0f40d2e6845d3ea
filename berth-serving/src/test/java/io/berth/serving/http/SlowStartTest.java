package io.berth.serving.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.Scheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("P-170")
final class SlowStartTest {
    private static final Duration LIMIT = Duration.ofSeconds(32);
    private static final int READ_MILLIS = 60_000;

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);
    private final PortThreads threads = new PortThreads(PortLimits.DEFAULT);
    private final Alarms alarms = new Alarms();

    /// Alarms that go off when the test says that the time is up.
    private static final class Alarms extends AbstractLifeCycle implements Scheduler {
        private final List<Runnable> set = new CopyOnWriteArrayList<>();

        @Override
        public Task schedule(Runnable task, long delay, TimeUnit units) {
            assertThat(units.toMillis(delay)).isEqualTo(LIMIT.toMillis());
            set.add(task);
            return () -> false;
        }

        void ring(int expected) {
            await().atMost(Duration.ofSeconds(60)).until(() -> set.size() == expected);
            set.forEach(Runnable::run);
        }
    }

    @BeforeEach
    void start() throws Exception {
        connector.setHost("127.0.0.1");
        connector.addBean(new SlowStart(alarms, LIMIT, _ -> false));
        server.addConnector(connector);
        server.setHandler(new JettyCalls(_ -> Reply.text(200, "ok"), threads));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        threads.close();
    }

    @Test
    void connectionWithoutAWholeRequestEnds() throws Exception {
        try (var socket = connect()) {
            send(socket, "GET / HTTP/1.1\r\nHost: x\r\nX-Never: ");
            alarms.ring(1);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void connectionThatBroughtARequestMayWait() throws Exception {
        try (var socket = connect();
                var slow = connect()) {
            send(socket, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            send(slow, "GET / HT");
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            alarms.ring(2);
            assertThat(slow.getInputStream().read()).isEqualTo(-1);
            send(socket, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            String rest =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(rest.split("HTTP/1.1 200", -1)).hasSize(2);
        }
    }

    /// A handshake that was done counted as under way for ever, so that each connection over TLS
    /// ended when the time was up, in the middle of a call or between two.
    @Test
    void connectionWhoseHandshakeIsDoneStays() throws Exception {
        var pair = new TestAuthority("here").server("CN=here", "localhost");
        var keys = new SslContextFactory.Server();
        keys.setSslContext(TestClient.tls(pair.key(), List.of(pair.certificate())));
        var tls = new SslConnectionFactory(keys, "http/1.1");
        var secure = new ServerConnector(server, tls, new HttpConnectionFactory());
        secure.setHost("127.0.0.1");
        var entrance = new Entrance(secure, PortLimits.DEFAULT, _ -> false);
        secure.addBean(entrance);
        secure.addBean(new SlowStart(alarms, LIMIT, entrance::isNew));
        tls.addBean(entrance);
        server.addConnector(secure);
        secure.start();
        try (var socket =
                TestClient.tls(null, List.of())
                        .getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), secure.getLocalPort())) {
            socket.setSoTimeout(READ_MILLIS);
            send(socket, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            alarms.ring(2);
            send(socket, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            String rest =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(rest.split("HTTP/1.1 200", -1)).hasSize(2);
        }
    }

    private Socket connect() throws Exception {
        var socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
        socket.setSoTimeout(READ_MILLIS);
        return socket;
    }

    private static void send(Socket socket, String text) throws Exception {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
