@NullMarked
package io.berth.tools.shadow;

import org.jspecify.annotations.NullMarked;
