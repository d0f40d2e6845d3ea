package io.berth.kube.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.Connection;
import io.berth.kube.testing.ScriptedServer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Leases as the API has them.
class HttpLeaseLockTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final Instant TIME = Instant.parse("2026-05-01T10:00:00.123456Z");
    private static final String LEASE =
            """
            {"apiVersion":"coordination.k8s.io/v1","kind":"Lease",\
            "metadata":{"name":"l","namespace":"ns","uid":"u-1","resourceVersion":"7",\
            "labels":{"team":"x"}},\
            "spec":{"holderIdentity":"other","leaseDurationSeconds":15,\
            "acquireTime":"2026-05-01T09:00:00.000000Z","renewTime":"2026-05-01T10:00:00.123456Z",\
            "leaseTransitions":3,"strategy":"OldestEmulationVersion"}}\
            """;

    @Test
    @Tag("P-220")
    void aLeaseIsRead() throws Exception {
        try (var server = new ScriptedServer((request, answer) -> answer.send(200, LEASE));
                var client = client(server)) {
            var lock = new HttpLeaseLock(client, "ns", "l");
            assertThat(lock.read(LIMIT))
                    .hasValue(
                            new LeaseRecord(
                                    "other",
                                    15,
                                    Instant.parse("2026-05-01T09:00:00Z"),
                                    TIME,
                                    3,
                                    "OldestEmulationVersion",
                                    ""));
            assertThat(server.requests().getFirst().path())
                    .isEqualTo("/apis/coordination.k8s.io/v1/namespaces/ns/leases/l");
            assertThat(lock.reference())
                    .isEqualTo(new HttpLeaseLock.Reference("ns", "l", "u-1", "7"));
            assertThat(lock.describe()).isEqualTo("ns/l");
        }
    }

    @Test
    @Tag("P-220")
    void anUpdateKeepsWhatOthersWroteAndNamesTheVersion() throws Exception {
        try (var server = new ScriptedServer((request, answer) -> answer.send(200, LEASE));
                var client = client(server)) {
            var lock = new HttpLeaseLock(client, "ns", "l");
            lock.read(LIMIT);
            lock.update(LeaseRecord.taken("me", 15, TIME, 4), LIMIT);
            var request = server.requests().getLast();
            assertThat(request.verb()).isEqualTo("PUT");
            assertThat(request.body())
                    .contains("\"resourceVersion\":\"7\"", "\"labels\":{\"team\":\"x\"}")
                    .contains(
                            "\"spec\":{\"holderIdentity\":\"me\",\"leaseDurationSeconds\":15,"
                                    + "\"acquireTime\":\"2026-05-01T10:00:00.123456Z\","
                                    + "\"renewTime\":\"2026-05-01T10:00:00.123456Z\","
                                    + "\"leaseTransitions\":4}");
        }
    }

    @Test
    void aRefusedUpdateLeavesTheKnownVersionInPlace() throws Exception {
        try (var server =
                        new ScriptedServer((request, answer) ->
                                answer.send(
                                        request.verb().equals("GET") ? 200 : 409,
                                        request.verb().equals("GET") ? LEASE : "{}"));
                var client = client(server)) {
            var lock = new HttpLeaseLock(client, "ns", "l");
            lock.read(LIMIT);
            var mine = LeaseRecord.taken("me", 15, TIME, 4);
            assertThatThrownBy(() -> lock.update(mine, LIMIT))
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            failure -> assertThat(failure.code()).isEqualTo(409));
            assertThatThrownBy(() -> lock.update(mine.released(TIME), LIMIT))
                    .isInstanceOf(ApiException.class);
            assertThat(server.requests().getLast().body())
                    .contains("\"resourceVersion\":\"7\"", "\"holderIdentity\":\"\"");
        }
    }

    @Test
    @Tag("P-220")
    @Tag("P-125")
    @Tag("P-128")
    void aMissingLeaseIsCreatedByAClientOfItsOwn() throws Exception {
        try (var server =
                        new ScriptedServer((request, answer) ->
                                answer.send(request.verb().equals("GET") ? 404 : 201, LEASE));
                var client =
                        new ApiClient(
                                Connection.plain(server.uri()),
                                ClientOptions.DEFAULT.forElection(
                                        ElectionTimes.DEFAULT.requestTimeout()))) {
            var lock = new HttpLeaseLock(client, "ns", "l");
            assertThat(lock.read(LIMIT)).isEmpty();
            lock.create(LeaseRecord.taken("me", 15, TIME, 0), LIMIT);
            var request = server.requests().getLast();
            assertThat(request.verb()).isEqualTo("POST");
            assertThat(request.body())
                    .contains("\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\"")
                    .contains("\"name\":\"l\"", "\"namespace\":\"ns\"");
            assertThat(request.headers().get("user-agent"))
                    .startsWith("kube-scheduler/v1.36.4 (")
                    .endsWith("/leader-election");
        }
    }

    @Test
    void nonsenseIsAnErrorAndNoLease() throws Exception {
        try (var server = new ScriptedServer((request, answer) -> answer.send(200, "[1]"));
                var client = client(server)) {
            assertThatThrownBy(() -> new HttpLeaseLock(client, "ns", "l").read(LIMIT))
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining("ns/l");
        }
    }

    private static ApiClient client(ScriptedServer server) {
        return new ApiClient(Connection.plain(server.uri()), ClientOptions.DEFAULT);
    }
}
