/// Feature gates and the versions that the process emulates: which gates there are, in which stage,
/// and what `--feature-gates`, `--emulated-version` and `--min-compatibility-version` make of them.
@NullMarked
package io.berth.app.gate;

import org.jspecify.annotations.NullMarked;
