/// What the scheduler counts: the table of its metrics, and what feeds the registry.
@NullMarked
package io.berth.app.metrics;

import org.jspecify.annotations.NullMarked;
