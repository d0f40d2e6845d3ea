/// Explanations as people read them on a terminal, and as programs read them.
@NullMarked
package io.berth.lab.text;

import org.jspecify.annotations.NullMarked;
