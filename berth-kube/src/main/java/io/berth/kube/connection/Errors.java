package io.berth.kube.connection;

import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;

/// Short reasons for messages that people read.
public final class Errors {
    private Errors() {}

    /// Why a handshake failed, in the words that operators know from Go's programs where the
    /// server's certificate was not believed.
    public static String tls(SSLException failed) {
        String unverified = "failed to verify certificate: x509: ";
        String text = reason(failed);
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case CertificateExpiredException _, CertificateNotYetValidException _ -> {
                    return unverified
                            + "certificate has expired or is not yet valid: "
                            + reason(cause);
                }
                case CertPathBuilderException _, CertPathValidatorException _ ->
                        text = unverified + "certificate signed by unknown authority";
                case CertificateException unfit when unfit.getCause() == null ->
                        text = unverified + reason(unfit);
                default -> {}
            }
        }
        return text;
    }

    public static String reason(Throwable problem) {
        return switch (problem) {
            case NoSuchFileException missing -> "no such file or directory";
            case AccessDeniedException denied -> "permission denied";
            case CharacterCodingException noText -> "the file is no text: invalid UTF-8";
            default -> {
                String text = problem.getMessage();
                yield text == null || text.isEmpty() ? problem.getClass().getSimpleName() : text;
            }
        };
    }
}
