@NullMarked
package io.berth.api.label;

import org.jspecify.annotations.NullMarked;
