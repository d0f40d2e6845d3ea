/// The page, on the port of a scheduler and on one of its own.
@NullMarked
package io.berth.app.page;

import org.jspecify.annotations.NullMarked;
