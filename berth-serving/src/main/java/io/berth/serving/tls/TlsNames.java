package io.berth.serving.tls;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The names of TLS versions, cipher suites and curves on the command line, and what the JDK calls
/// them.
public final class TlsNames {
    public static final List<String> TLS13_SUITES =
            List.of(
                    "TLS_AES_128_GCM_SHA256",
                    "TLS_AES_256_GCM_SHA384",
                    "TLS_CHACHA20_POLY1305_SHA256");

    /// In the order in which a server without `--tls-cipher-suites` prefers them.
    public static final List<String> SECURE_SUITES =
            List.of(
                    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
                    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
                    "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
                    "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA");

    private static final Map<String, String> ALIASES =
            Map.of(
                    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
                    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
                    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256");

    /// Insecure suites, with the JDK's older names where it kept them.
    private static final Map<String, String> INSECURE =
            Map.ofEntries(
                    Map.entry("TLS_RSA_WITH_RC4_128_SHA", "SSL_RSA_WITH_RC4_128_SHA"),
                    Map.entry("TLS_RSA_WITH_3DES_EDE_CBC_SHA", "SSL_RSA_WITH_3DES_EDE_CBC_SHA"),
                    Map.entry("TLS_RSA_WITH_AES_128_CBC_SHA", "TLS_RSA_WITH_AES_128_CBC_SHA"),
                    Map.entry("TLS_RSA_WITH_AES_256_CBC_SHA", "TLS_RSA_WITH_AES_256_CBC_SHA"),
                    Map.entry("TLS_RSA_WITH_AES_128_CBC_SHA256", "TLS_RSA_WITH_AES_128_CBC_SHA256"),
                    Map.entry("TLS_RSA_WITH_AES_128_GCM_SHA256", "TLS_RSA_WITH_AES_128_GCM_SHA256"),
                    Map.entry("TLS_RSA_WITH_AES_256_GCM_SHA384", "TLS_RSA_WITH_AES_256_GCM_SHA384"),
                    Map.entry(
                            "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA", "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA"),
                    Map.entry("TLS_ECDHE_RSA_WITH_RC4_128_SHA", "TLS_ECDHE_RSA_WITH_RC4_128_SHA"),
                    Map.entry(
                            "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
                            "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA"),
                    Map.entry(
                            "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
                            "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"),
                    Map.entry(
                            "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
                            "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256"));

    /// Ordered from old to new.
    private static final Map<String, String> VERSIONS = new LinkedHashMap<>();

    static {
        VERSIONS.put("VersionTLS10", "TLSv1");
        VERSIONS.put("VersionTLS11", "TLSv1.1");
        VERSIONS.put("VersionTLS12", "TLSv1.2");
        VERSIONS.put("VersionTLS13", "TLSv1.3");
    }

    private static final String DEFAULT_VERSION = "VersionTLS12";

    /// The last three combine a curve with a post-quantum scheme that this JDK does not have.
    private static final Map<Integer, String> CURVES =
            Map.of(
                    23, "secp256r1",
                    24, "secp384r1",
                    25, "secp521r1",
                    29, "x25519",
                    4587, "SecP256r1MLKEM768",
                    4588, "X25519MLKEM768",
                    4589, "SecP384r1MLKEM1024");

    private static final int MAX_CURVE = 65535;

    private TlsNames() {}

    public static Optional<String> checkVersion(String name) {
        return name.isEmpty() || VERSIONS.containsKey(name)
                ? Optional.empty()
                : Optional.of("unknown tls version \"" + name + "\"");
    }

    public static Optional<String> checkCipher(String name) {
        boolean known =
                TLS13_SUITES.contains(name)
                        || SECURE_SUITES.contains(name)
                        || ALIASES.containsKey(name)
                        || isInsecure(name);
        return known
                ? Optional.empty()
                : Optional.of("Cipher suite " + name + " not supported or doesn't exist");
    }

    public static boolean isInsecure(String name) {
        return INSECURE.containsKey(name);
    }

    public static List<String> checkCurves(List<Integer> curves) {
        var problems = new ArrayList<String>();
        Set<Integer> seen = new HashSet<>();
        for (int curve : curves) {
            if (curve < 1 || curve > MAX_CURVE) {
                problems.add("curve preference " + curve + " is out of range (must be 1-65535)");
            } else if (!seen.add(curve)) {
                problems.add("duplicate curve preference " + curve);
            } else if (!CURVES.containsKey(curve)) {
                problems.add(
                        "curve preference "
                                + curve
                                + " is not supported by the current Go version");
            }
        }
        return problems;
    }

    /// The protocols that a server with this least version speaks.
    public static String[] protocols(String minVersion) {
        String first = minVersion.isEmpty() ? DEFAULT_VERSION : minVersion;
        return VERSIONS.entrySet().stream()
                .dropWhile(version -> !version.getKey().equals(first))
                .map(Map.Entry::getValue)
                .toArray(String[]::new);
    }

    /// The suites in order of preference. Those of TLS 1.3 are always offered: like the original,
    /// they cannot be chosen.
    public static String[] suites(List<String> names) {
        var result = new ArrayList<>(TLS13_SUITES);
        if (names.isEmpty()) {
            result.addAll(SECURE_SUITES);
        }
        for (String name : names) {
            String suite = ALIASES.getOrDefault(name, INSECURE.getOrDefault(name, name));
            if (!result.contains(suite)) {
                result.add(suite);
            }
        }
        return result.toArray(String[]::new);
    }

    public static String[] curves(List<Integer> numbers) {
        return numbers.stream().map(CURVES::get).toArray(String[]::new);
    }
}
