/// Explanations of pods that no node can take, made by the generator of the differential suite.
@NullMarked
package io.berth.bench.explain;

import org.jspecify.annotations.NullMarked;
