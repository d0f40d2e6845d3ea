/// Counts of pods per node and per domain, kept up to date rather than recounted.
@NullMarked
package io.berth.plugins.topology;

import org.jspecify.annotations.NullMarked;
