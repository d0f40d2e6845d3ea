@NullMarked
package io.berth.lab.shadow;

import org.jspecify.annotations.NullMarked;
