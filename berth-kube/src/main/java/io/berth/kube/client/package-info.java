/// How to reach an API server: configuration, credentials, TLS, and a small HTTP client.
@NullMarked
package io.berth.kube.client;

import org.jspecify.annotations.NullMarked;
