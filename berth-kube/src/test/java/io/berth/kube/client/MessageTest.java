package io.berth.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
    private final Message first = new Message("GET", URI.create("https://[::1]:6443/at"));

    @Test
    void othersTakeItsServer() throws Exception {
        var other = new Message("POST", first, "/api/v1/pods?limit=1");
        assertThat(other.getMethod()).isEqualTo("POST");
        assertThat(other.getUri()).isEqualTo(URI.create("https://[::1]:6443/api/v1/pods?limit=1"));
        assertThat(other.getRequestUri()).isEqualTo("/api/v1/pods?limit=1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a b", "/a\r\nHost: other", "/a\tb", "/a\0"})
    void aPathEndsNoLine(String path) {
        assertThatThrownBy(() -> new Message("GET", first, path))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatItWaitsForIsCancelledWithItThenAndLater() {
        var cancelled = new AtomicInteger();
        first.setDependency(() -> cancelled.incrementAndGet() > 0);
        assertThat(first.isCancelled()).isFalse();
        first.cancel();
        assertThat(first.isCancelled()).isTrue();
        first.setDependency(() -> cancelled.incrementAndGet() > 0);
        assertThat(cancelled).hasValue(2);
    }
}
