package io.berth.apiserver.security;

import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;

/// A private key and the certificate that names its owner.
public record Identity(PrivateKey key, X509Certificate certificate) {
    public String certificatePem() {
        try {
            return Pem.encode("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    public String keyPem() {
        return Pem.encode("PRIVATE KEY", key.getEncoded());
    }
}
