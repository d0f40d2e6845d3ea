/// The process's metrics in the text format of Prometheus: a small registry, the table of all
/// metrics, and what feeds them.
@NullMarked
package io.berth.app.metrics;

import org.jspecify.annotations.NullMarked;
