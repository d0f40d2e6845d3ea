/// What the engine knows of the cluster: nodes, the pods on them, and other objects as last seen.
///
/// Everything here belongs to the engine thread. There are no locks and no copies: between two
/// messages the state is the snapshot.
@NullMarked
package io.berth.engine.state;

import org.jspecify.annotations.NullMarked;
