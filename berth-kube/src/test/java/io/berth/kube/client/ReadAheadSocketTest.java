package io.berth.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/// Nothing is lost or read twice, and what came together is read together.
class ReadAheadSocketTest {
    /// Gives what arrives piece by piece, and counts how often it is asked.
    private static final class Arriving extends InputStream {
        private final Queue<byte[]> pieces;
        private int asked;
        private int largest;

        Arriving(byte[]... pieces) {
            this.pieces = new ArrayDeque<>(List.of(pieces));
        }

        @Override
        public int read() {
            throw new AssertionError("byte by byte");
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            asked++;
            largest = Math.max(largest, length);
            var next = pieces.poll();
            return next == null
                    ? -1
                    : new ByteArrayInputStream(next).read(into, offset, next.length);
        }

        @Override
        public int available() {
            return pieces.isEmpty() ? 0 : pieces.element().length;
        }
    }

    private static byte[] counting(int from, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (from + i);
        }
        return bytes;
    }

    @Test
    void aRecordAndWhatStandsBeforeItAreOneRead() throws IOException {
        var arriving = new Arriving(counting(0, 105), counting(105, 20));
        var in = new ReadAheadSocket.ReadAhead(arriving);
        assertThat(in.readNBytes(5)).isEqualTo(counting(0, 5));
        assertThat(in.readNBytes(99)).isEqualTo(counting(5, 99));
        assertThat(in.available()).isEqualTo(21);
        assertThat(in.read()).isEqualTo(104);
        assertThat(arriving.asked).isOne();
        assertThat(in.readNBytes(20)).isEqualTo(counting(105, 20));
        assertThat(in.read()).isEqualTo(-1);
    }

    @Test
    void noMoreIsWaitedForThanThereIs() throws IOException {
        var in = new ReadAheadSocket.ReadAhead(new Arriving(counting(0, 7)));
        assertThat(in.read(new byte[5], 0, 5)).isEqualTo(5);
        assertThat(in.read(new byte[100], 0, 100)).isEqualTo(2);
    }

    /// Waiting would be for news that nobody has asked for.
    @Test
    void whoHasRoomForNothingDoesNotWait() throws IOException {
        var arriving = new Arriving(counting(0, 2));
        var in = new ReadAheadSocket.ReadAhead(arriving);
        assertThat(in.read(new byte[0], 0, 0)).isZero();
        assertThat(arriving.asked).isZero();
        assertThat(in.read()).isZero();
        assertThat(in.read(new byte[1], 1, 0)).isZero();
        assertThat(in.read()).isOne();
        assertThat(in.read(new byte[0], 0, 0)).isZero();
        assertThat(arriving.asked).isOne();
    }

    @Test
    void whoHasRoomForMuchReadsWithoutACopy() throws IOException {
        var arriving = new Arriving(counting(0, 9000));
        var in = new ReadAheadSocket.ReadAhead(arriving);
        assertThat(in.read(new byte[16_000], 0, 16_000)).isEqualTo(9000);
        assertThat(arriving.largest).isEqualTo(16_000);
    }

    @Test
    void bytesAreNotNegative() throws IOException {
        var in = new ReadAheadSocket.ReadAhead(new Arriving(new byte[] {-1}));
        assertThat(in.read()).isEqualTo(255);
    }

    @Test
    void whoAsksAgainGetsTheSameStream() throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var socket = new ReadAheadSocket()) {
            socket.connect(
                    new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), 10_000);
            try (var other = server.accept()) {
                other.getOutputStream().write(new byte[] {1, 2});
                assertThat(socket.getInputStream().read()).isOne();
                assertThat(socket.getInputStream().read()).isEqualTo(2);
            }
        }
    }
}
