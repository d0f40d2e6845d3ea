/// `berth kubectl`, which makes `kubectl berth`.
@NullMarked
package io.berth.tools.kubectl;

import org.jspecify.annotations.NullMarked;
