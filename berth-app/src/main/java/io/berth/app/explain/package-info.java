/// Explanations on the port of a scheduler at work.
@NullMarked
package io.berth.app.explain;

import org.jspecify.annotations.NullMarked;
