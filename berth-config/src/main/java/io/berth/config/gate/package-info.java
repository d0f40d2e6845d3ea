/// Feature gates and the releases that the process emulates: which gates there are, in which stage,
/// and what choosing some of them makes of the rest.
@NullMarked
package io.berth.config.gate;

import org.jspecify.annotations.NullMarked;
