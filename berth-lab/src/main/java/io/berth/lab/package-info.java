/// The engine as a library: engines that decide about nothing, to be asked what would be.
@NullMarked
package io.berth.lab;

import org.jspecify.annotations.NullMarked;
