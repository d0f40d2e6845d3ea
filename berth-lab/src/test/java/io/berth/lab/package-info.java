@NullMarked
package io.berth.lab;

import org.jspecify.annotations.NullMarked;
