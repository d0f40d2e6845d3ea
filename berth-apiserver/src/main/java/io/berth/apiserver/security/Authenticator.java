package io.berth.apiserver.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/// Finds out who a caller is, from a client certificate or a bearer token.
public final class Authenticator {
    private static final String BEARER = "Bearer ";

    private final byte[] adminToken;

    public Authenticator(String adminToken) {
        this.adminToken = adminToken.getBytes(StandardCharsets.UTF_8);
    }

    /// The caller, if anything it sent is known.
    ///
    /// @param peer the client certificates, checked by TLS already; leaf first
    /// @param authorization the value of the header, empty if missing
    public Optional<User> authenticate(List<X509Certificate> peer, String authorization) {
        if (!peer.isEmpty()) {
            return Optional.of(user(peer.getFirst()));
        }
        if (authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return byToken(authorization.substring(BEARER.length()).trim());
        }
        return Optional.empty();
    }

    /// The owner of a bearer token.
    public Optional<User> byToken(String token) {
        boolean known = MessageDigest.isEqual(token.getBytes(StandardCharsets.UTF_8), adminToken);
        return known ? Optional.of(User.ADMIN) : Optional.empty();
    }

    /// The common name is the user, each organization a group.
    private static User user(X509Certificate certificate) {
        String name = "";
        var groups = new ArrayList<String>();
        try {
            for (Rdn part :
                    new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN")) {
                    name = part.getValue().toString();
                } else if (part.getType().equalsIgnoreCase("O")) {
                    groups.add(part.getValue().toString());
                }
            }
        } catch (InvalidNameException e) {
            throw new IllegalStateException("certificate without a readable subject", e);
        }
        groups.add("system:authenticated");
        return new User(name, groups);
    }
}
