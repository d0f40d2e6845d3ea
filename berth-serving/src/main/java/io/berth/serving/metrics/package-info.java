/// A small registry of metrics in the words of Prometheus, and those series that every server has:
/// the process, the JVM, its port, its health.
@NullMarked
package io.berth.serving.metrics;

import org.jspecify.annotations.NullMarked;
