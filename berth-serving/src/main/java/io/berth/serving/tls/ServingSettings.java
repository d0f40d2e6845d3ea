package io.berth.serving.tls;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How the HTTPS port is served: the flags of the group "secure serving".
///
/// @param port 0 for no HTTPS server at all
/// @param maxStreams streams on one HTTP/2 connection; 0 for the server's default
public record ServingSettings(
        InetAddress bindAddress,
        int port,
        Files files,
        Tls tls,
        boolean http2,
        int maxStreams,
        boolean sharePort,
        boolean shareAddress) {

    private static final int MAX_PORT = 65535;

    /// Where certificates come from.
    ///
    /// @param folder keeps a generated pair between runs; without it a pair lives in memory
    /// @param certificate,key the pair to serve; no pair is generated if either is given
    public record Files(
            Optional<Path> folder,
            Optional<Path> certificate,
            Optional<Path> key,
            List<SniPair> sniPairs) {
        public static final Files NONE =
                new Files(Optional.empty(), Optional.empty(), Optional.empty(), List.of());

        public Files {
            sniPairs = List.copyOf(sniPairs);
        }

        boolean isGiven() {
            return certificate.isPresent() || key.isPresent();
        }
    }

    /// @param minVersion such as `VersionTLS13`; empty for TLS 1.2
    /// @param cipherSuites names for TLS 1.2 and older; empty for the default list
    /// @param curves numbers from the IANA registry; empty for the default list
    public record Tls(String minVersion, List<String> cipherSuites, List<Integer> curves) {
        public static final Tls DEFAULT = new Tls("", List.of(), List.of());

        public Tls {
            cipherSuites = List.copyOf(cipherSuites);
            curves = List.copyOf(curves);
        }
    }

    public static final ServingSettings DEFAULT =
            new ServingSettings(
                    everywhere(), 10259, Files.NONE, Tls.DEFAULT, true, 0, false, false);

    public ServingSettings withAddress(InetAddress address, int newPort) {
        return new ServingSettings(
                address, newPort, files, tls, http2, maxStreams, sharePort, shareAddress);
    }

    public ServingSettings withFiles(Files newFiles) {
        return new ServingSettings(
                bindAddress, port, newFiles, tls, http2, maxStreams, sharePort, shareAddress);
    }

    public ServingSettings withTls(Tls newTls) {
        return new ServingSettings(
                bindAddress, port, files, newTls, http2, maxStreams, sharePort, shareAddress);
    }

    public ServingSettings withHttp2(boolean enabled, int newMaxStreams) {
        return new ServingSettings(
                bindAddress, port, files, tls, enabled, newMaxStreams, sharePort, shareAddress);
    }

    public ServingSettings withSharing(boolean newSharePort, boolean newShareAddress) {
        return new ServingSettings(
                bindAddress, port, files, tls, http2, maxStreams, newSharePort, newShareAddress);
    }

    /// What is wrong with these settings, in the words of kube-scheduler.
    public List<String> check() {
        var problems = new ArrayList<String>();
        if (port < 0) {
            problems.add(
                    "--secure-port "
                            + port
                            + " must be between 0 and 65535, inclusive. 0 for turning off secure"
                            + " port");
        } else if (port > MAX_PORT) {
            problems.add(
                    "--secure-port "
                            + port
                            + " must be between 1 and 65535, inclusive. It cannot be turned off"
                            + " with 0");
        }
        TlsNames.checkVersion(tls.minVersion).ifPresent(problems::add);
        tls.cipherSuites.forEach(name -> TlsNames.checkCipher(name).ifPresent(problems::add));
        problems.addAll(TlsNames.checkCurves(tls.curves));
        return problems;
    }

    /// Settings that are allowed but unwise.
    public List<String> warnings() {
        return tls.cipherSuites.stream()
                .filter(TlsNames::isInsecure)
                .map(name -> "Use of insecure cipher '" + name + "' detected.")
                .toList();
    }

    private static InetAddress everywhere() {
        try {
            return InetAddress.getByAddress(new byte[4]);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
