package io.berth.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("P-170")
final class SlowStartTest {
    private static final int READ_MILLIS = 20_000;

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    @BeforeEach
    void start() throws Exception {
        connector.setHost("127.0.0.1");
        connector.addBean(new SlowStart(connector.getScheduler(), Duration.ofMillis(300)));
        server.addConnector(connector);
        server.setHandler(new JettyCalls(_ -> Reply.text(200, "ok")));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void connectionWithoutAWholeRequestEnds() throws Exception {
        try (var socket = connect()) {
            send(socket, "GET / HTTP/1.1\r\nHost: x\r\nX-Never: ");
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
            // The other one, opened later, has been ended: so this one was spared.
            assertThat(slow.getInputStream().read()).isEqualTo(-1);
            send(socket, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
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
