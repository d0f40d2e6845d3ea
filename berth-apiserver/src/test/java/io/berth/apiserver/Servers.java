package io.berth.apiserver;

import io.berth.apiserver.conformance.ApiUnderTest;
import io.berth.apiserver.conformance.Client;
import java.net.http.HttpClient;

/// Clients of embedded servers.
final class Servers {
    private Servers() {}

    static Client client(EmbeddedApiServer server) {
        return client(server, HttpClient.Version.HTTP_2);
    }

    static Client client(EmbeddedApiServer server, HttpClient.Version version) {
        return new Client(
                new ApiUnderTest(server.uri(), TestTls.trusting(server), server.token()), version);
    }

    static String pod(String name) {
        return "{\"metadata\":{\"name\":\""
                + name
                + "\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}";
    }

    static String configMap(String name, String data) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"d\":\"" + data + "\"}}";
    }
}
