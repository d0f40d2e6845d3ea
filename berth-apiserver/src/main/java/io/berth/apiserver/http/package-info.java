/// Requests and responses: routing, content negotiation, the Jetty server.
@NullMarked
package io.berth.apiserver.http;

import org.jspecify.annotations.NullMarked;
