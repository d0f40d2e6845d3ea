package io.berth.serving.auth;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How callers of our port are recognised: the flags of the group "authentication".
///
/// @param kubeconfig how to reach the API server that is asked; empty tries the pod's own account
/// @param skipLookup whether the cluster's own authentication settings are left alone
/// @param tokenTtl how long an answer about a token is believed; zero asks every time
/// @param clientCaFile who signs client certificates; empty looks it up in the cluster
public record AuthenticationSettings(
        Optional<Path> kubeconfig,
        boolean skipLookup,
        Duration tokenTtl,
        boolean tolerateLookupFailure,
        Optional<Path> clientCaFile,
        RequestHeader requestHeader) {

    public static final AuthenticationSettings DEFAULT =
            new AuthenticationSettings(
                    Optional.empty(),
                    false,
                    Duration.ofSeconds(10),
                    true,
                    Optional.empty(),
                    RequestHeader.DEFAULT);

    /// A proxy in front of us that says in headers who calls.
    ///
    /// @param clientCaFile who signs the proxy's certificate; the other fields matter only with it
    public record RequestHeader(
            Optional<Path> clientCaFile,
            List<String> allowedNames,
            List<String> usernameHeaders,
            List<String> uidHeaders,
            List<String> groupHeaders,
            List<String> extraHeadersPrefix) {
        public static final RequestHeader DEFAULT =
                new RequestHeader(
                        Optional.empty(),
                        List.of(),
                        List.of("x-remote-user"),
                        List.of(),
                        List.of("x-remote-group"),
                        List.of("x-remote-extra-"));

        public RequestHeader {
            allowedNames = List.copyOf(allowedNames);
            usernameHeaders = List.copyOf(usernameHeaders);
            uidHeaders = List.copyOf(uidHeaders);
            groupHeaders = List.copyOf(groupHeaders);
            extraHeadersPrefix = List.copyOf(extraHeadersPrefix);
        }
    }

    public AuthenticationSettings withKubeconfig(Path file) {
        return new AuthenticationSettings(
                Optional.of(file),
                skipLookup,
                tokenTtl,
                tolerateLookupFailure,
                clientCaFile,
                requestHeader);
    }

    /// What is wrong with these settings, in the words of kube-scheduler.
    ///
    /// @param uidHeaders whether the feature gate `RemoteRequestHeaderUID` is on
    public List<String> check(boolean uidHeaders) {
        var problems = new ArrayList<String>();
        blank(requestHeader.usernameHeaders, "requestheader-username-headers", problems);
        blank(requestHeader.groupHeaders, "requestheader-group-headers", problems);
        blank(requestHeader.extraHeadersPrefix, "requestheader-extra-headers-prefix", problems);
        blank(requestHeader.allowedNames, "requestheader-allowed-names", problems);
        blank(requestHeader.uidHeaders, "requestheader-uid-headers", problems);
        if (!requestHeader.uidHeaders.isEmpty()) {
            if (!uidHeaders) {
                problems.add(
                        "--requestheader-uid-headers requires the \"RemoteRequestHeaderUID\""
                                + " feature to be enabled");
            }
            if (lacks(requestHeader.uidHeaders, "X-Remote-Uid")) {
                problems.add(incomplete("uid-headers", "X-Remote-Uid header"));
            }
        }
        return problems;
    }

    /// Settings that are allowed but leave out what aggregation needs.
    public List<String> warnings() {
        var warnings = new ArrayList<String>();
        if (!requestHeader.usernameHeaders.isEmpty()
                && lacks(requestHeader.usernameHeaders, "X-Remote-User")) {
            warnings.add(incomplete("username-headers", "X-Remote-User header"));
        }
        if (!requestHeader.groupHeaders.isEmpty()
                && lacks(requestHeader.groupHeaders, "X-Remote-Group")) {
            warnings.add(incomplete("group-headers", "X-Remote-Group header"));
        }
        if (!requestHeader.extraHeadersPrefix.isEmpty()
                && lacks(requestHeader.extraHeadersPrefix, "X-Remote-Extra-")) {
            warnings.add(incomplete("extra-headers-prefix", "X-Remote-Extra- header prefix"));
        }
        return warnings;
    }

    private static void blank(List<String> values, String flag, List<String> problems) {
        if (values.stream().anyMatch(String::isBlank)) {
            problems.add("empty value in \"" + flag + "\"");
        }
    }

    private static boolean lacks(List<String> values, String wanted) {
        return values.stream().noneMatch(wanted::equalsIgnoreCase);
    }

    private static String incomplete(String flag, String header) {
        return "--requestheader-%s is set without specifying the standard %s - API aggregation will not work"
                .formatted(flag, header);
    }
}
