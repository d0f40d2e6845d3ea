/// A black-box load on a real API server that starts any scheduler program and measures it from
/// outside: what it needs of the processor, and how fast pods get their nodes.
@NullMarked
package io.berth.bench.load;

import org.jspecify.annotations.NullMarked;
