/// A small HTTP client of the API server: requests within limits, retries, streams.
@NullMarked
package io.berth.kube.client;

import org.jspecify.annotations.NullMarked;
