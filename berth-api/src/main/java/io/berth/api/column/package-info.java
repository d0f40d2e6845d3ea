/// Facts about all nodes as arrays, for plugins that judge every node in one pass.
@NullMarked
package io.berth.api.column;

import org.jspecify.annotations.NullMarked;
