@NullMarked
package io.berth.api.assume;

import org.jspecify.annotations.NullMarked;
