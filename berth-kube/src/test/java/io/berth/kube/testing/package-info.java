/// What the tests of this module share: a scripted server, a port that is held, a feed that takes
/// notes.
@NullMarked
package io.berth.kube.testing;

import org.jspecify.annotations.NullMarked;
