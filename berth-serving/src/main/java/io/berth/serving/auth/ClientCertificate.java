package io.berth.serving.auth;

import io.berth.serving.http.Call;
import io.berth.serving.http.User;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;

/// Knows callers by the client certificate of their connection: the common name is the user, each
/// organization a group.
final class ClientCertificate implements Authenticator {
    private static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";
    private static final ASN1ObjectIdentifier UID = new ASN1ObjectIdentifier("1.3.6.1.4.1.57683.2");

    private final Authorities authorities;
    private final boolean readUid;
    private final AuthObserver observer;
    private final CertificateJudge<Verdict> judge;

    /// @param readUid whether the feature gate `AllowParsingUserUIDFromCertAuth` is on
    ClientCertificate(Authorities authorities, boolean readUid, AuthObserver observer) {
        this(authorities, readUid, observer, new CertificateJudge<>());
    }

    ClientCertificate(
            Authorities authorities,
            boolean readUid,
            AuthObserver observer,
            CertificateJudge<Verdict> judge) {
        this.authorities = authorities;
        this.readUid = readUid;
        this.observer = observer;
        this.judge = judge;
    }

    @Override
    public Verdict authenticate(Call call) {
        List<X509Certificate> shown = call.peer().certificates();
        List<X509Certificate> trusted = authorities.current();
        if (shown.isEmpty() || trusted.isEmpty()) {
            return Verdict.NO_OPINION;
        }
        X509Certificate leaf = shown.getFirst();
        observer.certificateShown(Duration.between(Instant.now(), leaf.getNotAfter().toInstant()));
        return judge.judge(
                shown,
                trusted,
                problem -> problem.isEmpty() ? user(leaf) : refused(leaf, problem.get()));
    }

    private static Verdict refused(X509Certificate leaf, String problem) {
        return new Verdict.Failed(
                "verifying certificate %s failed: %s".formatted(identifier(leaf), problem));
    }

    private Verdict user(X509Certificate leaf) {
        X500Name subject = subject(leaf);
        List<String> commonNames = values(subject, BCStyle.CN);
        if (commonNames.isEmpty() || commonNames.getLast().isEmpty()) {
            return Verdict.NO_OPINION;
        }
        List<String> uids = readUid ? values(subject, UID) : List.of();
        if (uids.size() > 1) {
            return new Verdict.Failed(
                    uids.stream()
                            .collect(
                                    Collectors.joining(
                                            " ", "expected 1 UID, but found multiple: [", "]")));
        }
        if (uids.contains("")) {
            return new Verdict.Failed("UID cannot be an empty string");
        }
        return new Verdict.Known(
                new User(
                        commonNames.getLast(),
                        uids.isEmpty() ? "" : uids.getFirst(),
                        values(subject, BCStyle.O),
                        Map.of(CREDENTIAL_ID, List.of("X509SHA256=" + fingerprint(leaf)))));
    }

    /// The common name, as the list of allowed proxies knows it.
    static String commonName(X509Certificate certificate) {
        List<String> names = values(subject(certificate), BCStyle.CN);
        return names.isEmpty() ? "" : names.getLast();
    }

    private static X500Name subject(X509Certificate certificate) {
        return X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    }

    private static List<String> values(X500Name name, ASN1ObjectIdentifier type) {
        return Arrays.stream(name.getRDNs())
                .flatMap(rdn -> Arrays.stream(rdn.getTypesAndValues()))
                .filter(part -> part.getType().equals(type))
                .map(part ->
                        part.getValue() instanceof org.bouncycastle.asn1.ASN1String text
                                ? text.getString()
                                : IETFUtils.valueToString(part.getValue()))
                .toList();
    }

    private static String fingerprint(X509Certificate certificate) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return HexFormat.of().formatHex(hash);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("no SHA-256 of a certificate", impossible);
        }
    }

    private static String identifier(X509Certificate certificate) {
        try {
            var holder = new JcaX509CertificateHolder(certificate);
            Extension own = holder.getExtension(Extension.subjectKeyIdentifier);
            Extension issuers = holder.getExtension(Extension.authorityKeyIdentifier);
            byte[] skid =
                    own == null
                            ? new byte[0]
                            : SubjectKeyIdentifier.getInstance(own.getParsedValue())
                                    .getKeyIdentifier();
            ASN1OctetString akid =
                    issuers == null
                            ? null
                            : AuthorityKeyIdentifier.getInstance(issuers.getParsedValue())
                                    .getKeyIdentifierObject();
            return "SN=%s, SKID=%s, AKID=%s"
                    .formatted(
                            certificate.getSerialNumber(),
                            colons(skid),
                            colons(akid == null ? new byte[0] : akid.getOctets()));
        } catch (CertificateEncodingException unreadable) {
            return "SN=" + certificate.getSerialNumber() + ", SKID=, AKID=";
        }
    }

    private static String colons(byte[] bytes) {
        return HexFormat.ofDelimiter(":").formatHex(bytes).toUpperCase(Locale.ROOT);
    }
}
