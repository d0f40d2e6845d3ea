/// Black-box runs: a real control plane on this machine, the packaged scheduler as a process, and
/// small clients to look at both. Nothing here knows how Berth works inside.
@NullMarked
package io.berth.e2e;

import org.jspecify.annotations.NullMarked;
