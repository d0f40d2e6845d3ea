/// How fast the engine is: scenarios that print a table.
@NullMarked
package io.berth.bench;

import org.jspecify.annotations.NullMarked;
