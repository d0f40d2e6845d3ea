/// Labels, and conditions on them.
@NullMarked
package io.berth.api.label;

import org.jspecify.annotations.NullMarked;
