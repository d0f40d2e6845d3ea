@NullMarked
package io.berth.lab.explain;

import org.jspecify.annotations.NullMarked;
