/// `berth explain`.
@NullMarked
package io.berth.tools.explain;

import org.jspecify.annotations.NullMarked;
