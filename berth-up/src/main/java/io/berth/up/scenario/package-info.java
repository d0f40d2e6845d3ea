/// What happens in a cluster of `berth up`, told by a file: objects of a dump, or steps by the
/// clock.
@NullMarked
package io.berth.up.scenario;

import org.jspecify.annotations.NullMarked;
