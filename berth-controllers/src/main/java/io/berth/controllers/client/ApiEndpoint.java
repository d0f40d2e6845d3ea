package io.berth.controllers.client;

import java.net.URI;
import javax.net.ssl.SSLContext;

/// Where an API server is, and how one gets in.
///
/// @param tls trusts the server; may hold a client certificate
/// @param token a bearer token, or empty where the certificate is enough
public record ApiEndpoint(URI url, SSLContext tls, String token) {}
