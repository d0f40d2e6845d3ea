package io.berth.serving.tls;

import io.berth.config.text.FileProblems;
import io.berth.config.text.SmallFiles;
import io.berth.kube.connection.ConfigException;
import io.berth.kube.connection.Pem;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;

/// A certificate with its chain and its key.
///
/// @param chain leaf first
record ServingPair(List<X509Certificate> chain, PrivateKey key) {
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    ServingPair {
        chain = List.copyOf(chain);
    }

    /// @throws ServingException if a file cannot be read or the two do not belong together
    static ServingPair read(Path certificate, Path key) {
        return of(bytes(certificate), bytes(key), certificate.toString(), key.toString());
    }

    static ServingPair of(byte[] certificate, byte[] key, String certificateName, String keyName) {
        try {
            var pair =
                    new ServingPair(
                            Pem.certificates(certificate, certificateName),
                            Pem.privateKey(key, keyName));
            pair.requireMatch(keyName);
            return pair;
        } catch (ConfigException unreadable) {
            throw new ServingException(String.valueOf(unreadable.getMessage()), unreadable);
        }
    }

    X509Certificate leaf() {
        return chain.getFirst();
    }

    /// The host names and addresses that the certificate is for, in lower case.
    Set<String> names() {
        var names = new LinkedHashSet<String>();
        try {
            Collection<List<?>> alternatives = leaf().getSubjectAlternativeNames();
            if (alternatives != null) {
                for (List<?> entry : alternatives) {
                    int type = (Integer) entry.get(0);
                    if (type == DNS_NAME || type == IP_ADDRESS) {
                        names.add(entry.get(1).toString().toLowerCase(Locale.ROOT));
                    }
                }
            }
            if (names.isEmpty()) {
                names.addAll(commonNames(leaf()));
            }
        } catch (GeneralSecurityException unreadable) {
            return names;
        }
        return names;
    }

    private static List<String> commonNames(X509Certificate certificate)
            throws GeneralSecurityException {
        var subject = new JcaX509CertificateHolder(certificate).getSubject();
        return java.util.Arrays.stream(subject.getRDNs(BCStyle.CN))
                .map(rdn -> IETFUtils.valueToString(rdn.getFirst().getValue()))
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();
    }

    private void requireMatch(String keyName) {
        if (!Pem.isPair(leaf(), key)) {
            throw new ServingException(
                    keyName + ": tls: private key does not match public key", null);
        }
    }

    private static byte[] bytes(Path file) {
        try {
            return SmallFiles.read(file);
        } catch (IOException unreadable) {
            throw new ServingException(FileProblems.text("open", file, unreadable), unreadable);
        }
    }
}
