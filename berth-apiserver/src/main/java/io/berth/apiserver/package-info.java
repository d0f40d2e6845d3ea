/// A small in-memory Kubernetes API server.
@NullMarked
package io.berth.apiserver;

import org.jspecify.annotations.NullMarked;
