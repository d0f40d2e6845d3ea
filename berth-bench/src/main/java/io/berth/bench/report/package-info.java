/// The report: runs measurements one after the other, keeps what they print, and writes the tables
/// of docs/benchmarks.md from it.
@NullMarked
package io.berth.bench.report;

import org.jspecify.annotations.NullMarked;
