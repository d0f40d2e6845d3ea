package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The HTTPS ports of Berth and of the real kube-scheduler, side by side on a cluster with RBAC:
/// the same question from the same caller gets the same answer.
@RealControlPlane
@PackagedScheduler
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ServingIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    private final ControlPlane plane;
    private final List<HttpClient> clients = new ArrayList<>();
    private SchedulerProcess berth;
    private SchedulerProcess upstream;
    private HttpClient nobody;
    private HttpClient admin;
    private HttpClient reader;
    private String token;

    ServingIT(ControlPlane plane) {
        this.plane = plane;
    }

    /// An answer without what differs from moment to moment.
    private record Answer(int status, Map<String, String> headers, String body) {}

    @BeforeAll
    void start() throws GeneralSecurityException, IOException {
        berth = start(SchedulerProgram.berth().orElseThrow(), "serving-berth");
        upstream = start(SchedulerProgram.kubeScheduler(plane.binaries()), "serving-upstream");
        for (SchedulerProcess scheduler : List.of(berth, upstream)) {
            scheduler
                    .process()
                    .await("ready", START_LIMIT, () -> scheduler.api().answers("/readyz"));
        }
        nobody = client(trustOnly());
        admin = client(userTls("admin", "system:masters"));
        reader = client(userTls("reader"));
        Kubectl kubectl = plane.kubectl();
        kubectl.run("create", "serviceaccount", "scraper", "-n", "kube-system").ok();
        kubectl.run(
                        "create",
                        "clusterrole",
                        "serving-reader",
                        "--verb=get",
                        "--non-resource-url=/metrics",
                        "--non-resource-url=/configz")
                .ok();
        kubectl.run(
                        "create",
                        "clusterrolebinding",
                        "serving-reader",
                        "--clusterrole=serving-reader",
                        "--user=reader",
                        "--serviceaccount=kube-system:scraper")
                .ok();
        token = kubectl.run("create", "token", "scraper", "-n", "kube-system").ok().strip();
    }

    private SchedulerProcess start(SchedulerProgram program, String lease) {
        return plane.start(program, "--leader-elect-resource-name=" + lease);
    }

    @AfterAll
    void stop() {
        clients.forEach(HttpClient::shutdownNow);
        berth.close();
        upstream.close();
    }

    @ParameterizedTest
    @Tag("P-185")
    @Tag("P-187")
    @Tag("P-217")
    @ValueSource(strings = {"/healthz", "/healthz?verbose", "/livez?verbose", "/readyz"})
    void everybodyMayAskForHealth(String path) {
        Answer ours = get(berth, nobody, path);
        // The check of the engine is Berth's own.
        var shared =
                new Answer(
                        ours.status(), ours.headers(), ours.body().replace("[+]engine ok\n", ""));
        assertThat(shared).isEqualTo(get(upstream, nobody, path));
    }

    @ParameterizedTest
    @Tag("P-187")
    @ValueSource(strings = {"/readyz?verbose", "/readyz?verbose&exclude=shutdown&exclude=nosuch"})
    void readinessHasOneCheckMore(String path) {
        String more = "[+]api-server ok\n";
        Answer ours = get(berth, nobody, path);
        assertThat(ours.body).containsOnlyOnce(more);
        assertThat(new Answer(ours.status, ours.headers, ours.body.replace(more, "")))
                .isEqualTo(get(upstream, nobody, path));
    }

    @ParameterizedTest
    @Tag("P-219")
    @Tag("P-188")
    @Tag("P-183")
    @ValueSource(
            strings = {"/configz", "/healthz/ping", "/unknown", "/%3Cb%3E", "/metrics?pretty=1"})
    void strangersAreForbiddenTheRest(String path) {
        Answer answer = same(nobody, path);
        assertThat(answer.status).isEqualTo(403);
        same(nobody, path, "Accept", "application/yaml");
        same(nobody, path, "Accept", "application/vnd.kubernetes.protobuf");
        same(nobody, path, "Accept", "text/html");
        same(nobody, path, "User-Agent", "curl/8");
    }

    @Test
    @Tag("P-211")
    @Tag("P-219")
    void wrongTokenIsUnauthorizedEvenForHealth() {
        Answer answer = same(nobody, "/healthz", "Authorization", "Bearer wrong");
        assertThat(answer.status).isEqualTo(401);
    }

    @Test
    @Tag("P-216")
    @Tag("P-218")
    @Tag("P-302")
    void tokenOpensWhatItsRoleAllows() {
        String bearer = "Bearer " + token;
        assertThat(get(berth, nobody, "/metrics", "Authorization", bearer).status).isEqualTo(200);
        assertThat(get(berth, nobody, "/configz", "Authorization", bearer).status).isEqualTo(200);
        Answer refused = same(nobody, "/debug/pprof/", "Authorization", bearer);
        assertThat(refused.status).isEqualTo(403);
        assertThat(refused.body).contains("system:serviceaccount:kube-system:scraper");
    }

    @Test
    @Tag("P-174")
    @Tag("P-215")
    @Tag("P-212")
    void clientCertificateOpensWhatItsRoleAllows() {
        assertThat(get(berth, reader, "/configz").status).isEqualTo(200);
        assertThat(same(reader, "/flagz").status).isEqualTo(403);
        assertThat(same(admin, "/unknown").status).isEqualTo(404);
        assertThat(same(admin, "/healthz/leaderElection").body).isEqualTo("ok");
    }

    @Test
    @Tag("P-194")
    void configurationHasTheSameFields() throws IOException {
        JsonNode ours = JSON.readTree(get(berth, admin, "/configz").body);
        JsonNode theirs = JSON.readTree(get(upstream, admin, "/configz").body);
        assertThat(names(ours)).isEqualTo(names(theirs));
        assertThat(names(ours.path("componentconfig")))
                .isEqualTo(names(theirs.path("componentconfig")));
    }

    @ParameterizedTest
    @Tag("P-206")
    @ValueSource(strings = {"/flagz", "/statusz"})
    void formsThatAreNotOfferedAreRefused(String path) {
        for (String accept :
                List.of("application/json", "application/yaml", "text/html", "application/*")) {
            assertThat(same(admin, path, "Accept", accept).status).isEqualTo(406);
        }
    }

    @Test
    @Tag("P-206")
    @Tag("P-208")
    void objectsHaveTheSameFields() throws IOException {
        for (String kind : List.of("Flagz", "Statusz")) {
            String path = "/" + kind.toLowerCase(java.util.Locale.ROOT);
            String accept = "application/json;as=%s;v=v1beta1;g=config.k8s.io".formatted(kind);
            Answer ours = get(berth, admin, path, "Accept", accept);
            Answer theirs = get(upstream, admin, path, "Accept", accept);
            assertThat(ours.headers).isEqualTo(theirs.headers);
            assertThat(names(JSON.readTree(ours.body)))
                    .isEqualTo(names(JSON.readTree(theirs.body)));
        }
    }

    @Test
    @Tag("P-190")
    @Tag("P-193")
    void healthChecksAreCounted() {
        for (SchedulerProcess scheduler : List.of(berth, upstream)) {
            get(scheduler, nobody, "/livez");
            assertThat(get(scheduler, admin, "/metrics/slis").body)
                    .contains("kubernetes_healthcheck{name=\"ping\",type=\"livez\"} 1")
                    .contains(
                            "kubernetes_healthchecks_total{name=\"ping\",status=\"success\",type=\"livez\"}");
        }
    }

    @Test
    @Tag("P-201")
    void debugFlagsAnswerTheSame() {
        same(admin, "/debug/flags");
        same(admin, "/debug/flags/v");
        assertThat(same(admin, "/debug/pprof").status).isEqualTo(302);
    }

    @Test
    @Tag("P-302")
    void kubectlReadsRawPaths() throws IOException {
        Path file = plane.folder().resolve("serving-reader.kubeconfig");
        Kubeconfig.write(
                file,
                berth.api().server(),
                plane.authority(),
                plane.authority().user("reader", List.of()));
        var kubectl = new Kubectl(plane.binaries().kubectl(), file, plane.folder());

        assertThat(kubectl.run("get", "--raw", "/readyz").ok()).isEqualTo("ok");
        assertThat(kubectl.run("get", "--raw", "/configz").ok()).contains("componentconfig");
        Kubectl.Result refused = kubectl.run("get", "--raw", "/statusz");
        assertThat(refused.status()).isNotZero();
        assertThat(refused.errors())
                .contains("Error from server (Forbidden)")
                .contains("User \"reader\" cannot get path \"/statusz\"");
    }

    private Answer same(HttpClient client, String path, String... headers) {
        Answer ours = get(berth, client, path, headers);
        assertThat(ours).isEqualTo(get(upstream, client, path, headers));
        return ours;
    }

    private static Answer get(
            SchedulerProcess scheduler, HttpClient client, String path, String... headers) {
        var request =
                HttpRequest.newBuilder(URI.create(scheduler.api().server() + path)).timeout(LIMIT);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            var kept = new TreeMap<String, String>();
            answer.headers().map().forEach((name, values) -> kept.put(name, values.toString()));
            kept.keySet().removeAll(List.of("date", "content-length", ":status"));
            return new Answer(answer.statusCode(), kept, answer.body());
        } catch (IOException broken) {
            throw new IllegalStateException(request.build() + " failed", broken);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stop);
        }
    }

    private static List<String> names(JsonNode object) {
        var names = new ArrayList<String>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private HttpClient client(SSLContext tls) {
        var client = HttpClient.newBuilder().sslContext(tls).connectTimeout(LIMIT).build();
        clients.add(client);
        return client;
    }

    private SSLContext userTls(String user, String... groups) {
        return plane.authority().tlsFor(plane.authority().user(user, List.of(groups)));
    }

    /// For a caller who shows no certificate.
    private SSLContext trustOnly() throws GeneralSecurityException, IOException {
        byte[] pem = plane.authority().certificatePem().getBytes(StandardCharsets.US_ASCII);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "authority",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(pem)));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        return tls;
    }
}
