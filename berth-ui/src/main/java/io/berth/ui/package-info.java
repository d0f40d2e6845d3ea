/// The page on which one sees a cluster being scheduled, and the calls that it makes.
@NullMarked
package io.berth.ui;

import org.jspecify.annotations.NullMarked;
