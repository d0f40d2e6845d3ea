/// The scheduler without Kubernetes: one thread owns all scheduling state and takes messages.
///
/// In the order of a pod's life: `intake` (news arrive), `state` (what is where), `queue` (who is
/// next), `framework` (plugins), `cycle` (one attempt), `port` (what the engine needs from
/// outside).
@NullMarked
package io.berth.engine;

import org.jspecify.annotations.NullMarked;
