/// Judges what another scheduler decides, beside it, while it happens.
@NullMarked
package io.berth.lab.shadow;

import org.jspecify.annotations.NullMarked;
