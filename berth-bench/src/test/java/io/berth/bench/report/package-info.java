/// Tests of the report.
@NullMarked
package io.berth.bench.report;

import org.jspecify.annotations.NullMarked;
