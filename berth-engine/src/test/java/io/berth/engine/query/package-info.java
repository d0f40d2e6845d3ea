@NullMarked
package io.berth.engine.query;

import org.jspecify.annotations.NullMarked;
