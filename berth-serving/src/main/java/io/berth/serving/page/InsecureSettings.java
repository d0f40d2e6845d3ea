package io.berth.serving.page;

import io.berth.config.text.GoText;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The plain HTTP ports of 1.20 to 1.22, which nobody gets without asking for them: the fields
/// `healthzBindAddress` and `metricsBindAddress` of old configuration files, the flags `--address`
/// and `--port`.
///
/// @param healthz,metrics such as `0.0.0.0:10251`; empty, or with port 0, for none
public record InsecureSettings(String healthz, String metrics) {
    public static final InsecureSettings OFF = new InsecureSettings("", "");

    private static final Pattern ADDRESS =
            Pattern.compile("(?:\\[([0-9a-fA-F:]+)]|([0-9.]*)):([0-9]{1,5})");
    private static final int MAX_PORT = 65535;

    /// What is wrong with these settings, in the words of kube-scheduler.
    public List<String> check() {
        var problems = new ArrayList<String>();
        if (!healthz.isEmpty() && parse(healthz).isEmpty()) {
            problems.add("invalid healthz address: invalid address " + GoText.quote(healthz));
        }
        if (!metrics.isEmpty() && parse(metrics).isEmpty()) {
            problems.add("invalid metrics address: invalid address " + GoText.quote(metrics));
        }
        return problems;
    }

    /// Where health is served, if it is.
    Optional<InetSocketAddress> healthzAddress() {
        return open(healthz);
    }

    /// Where metrics are served, if that is not where health is served.
    Optional<InetSocketAddress> metricsAddress() {
        return metrics.equals(healthz) ? Optional.empty() : open(metrics);
    }

    private static Optional<InetSocketAddress> open(String text) {
        return parse(text).filter(address -> address.getPort() > 0);
    }

    private static Optional<InetSocketAddress> parse(String text) {
        Matcher matcher = ADDRESS.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > MAX_PORT) {
            return Optional.empty();
        }
        String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        int port = Integer.parseInt(matcher.group(3));
        try {
            return Optional.of(
                    host.isEmpty()
                            ? new InetSocketAddress(port)
                            : new InetSocketAddress(InetAddress.ofLiteral(host), port));
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }
}
