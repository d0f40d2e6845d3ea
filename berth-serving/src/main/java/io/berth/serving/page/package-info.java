/// The pages: health, metrics, flags, what the process knows about itself.
@NullMarked
package io.berth.serving.page;

import org.jspecify.annotations.NullMarked;
