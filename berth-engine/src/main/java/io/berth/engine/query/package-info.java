/// What may be asked of a running engine, and the answers, which are values.
@NullMarked
package io.berth.engine.query;

import org.jspecify.annotations.NullMarked;
