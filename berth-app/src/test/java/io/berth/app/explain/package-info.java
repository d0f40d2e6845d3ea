@NullMarked
package io.berth.app.explain;

import org.jspecify.annotations.NullMarked;
