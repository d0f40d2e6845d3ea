/// What a shell needs to complete command lines of Berth.
@NullMarked
package io.berth.app.complete;

import org.jspecify.annotations.NullMarked;
