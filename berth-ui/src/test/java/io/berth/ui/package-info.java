@NullMarked
package io.berth.ui;

import org.jspecify.annotations.NullMarked;
