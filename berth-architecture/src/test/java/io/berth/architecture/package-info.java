/// What holds in every room, tested in one place.
@NullMarked
package io.berth.architecture;

import org.jspecify.annotations.NullMarked;
