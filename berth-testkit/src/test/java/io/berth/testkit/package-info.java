@NullMarked
package io.berth.testkit;

import org.jspecify.annotations.NullMarked;
