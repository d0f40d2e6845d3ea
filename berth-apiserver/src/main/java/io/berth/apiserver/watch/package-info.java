/// Streams of changes.
@NullMarked
package io.berth.apiserver.watch;

import org.jspecify.annotations.NullMarked;
