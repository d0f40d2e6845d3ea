package io.berth.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientOptionsTest {
    private static final String BOTH = "application/vnd.kubernetes.protobuf, application/json";

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {
                "'', application/vnd.kubernetes.protobuf, true",
                "'', application/json, false",
                "'', application/cbor, false",
                "'', '', false",
                "application/json, application/vnd.kubernetes.protobuf, false",
                "application/vnd.kubernetes.protobuf, application/json, true",
                "'application/vnd.kubernetes.protobuf,application/json', application/json, true",
                "'application/json, application/vnd.kubernetes.protobuf', application/json, false",
            })
    @Tag("P-123")
    void objectsAreReadAsTheConfigurationSays(
            String acceptTypes, String contentType, boolean protobuf) {
        assertThat(ClientOptions.DEFAULT.withContentTypes(acceptTypes, contentType).accept())
                .isEqualTo(protobuf ? BOTH : "application/json");
    }
}
