package io.berth.apiserver.conformance;

import java.net.URI;
import javax.net.ssl.SSLContext;

/// Where the server is, and how an administrator gets in.
///
/// @param tls trusts the server; may also hold a client certificate
/// @param token a bearer token, or empty if the certificate is enough
public record ApiUnderTest(URI url, SSLContext tls, String token) {}
