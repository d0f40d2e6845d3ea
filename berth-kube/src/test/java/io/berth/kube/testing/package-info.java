/// What the tests of this module share: a scripted server and a feed that takes notes.
@NullMarked
package io.berth.kube.testing;

import org.jspecify.annotations.NullMarked;
