@NullMarked
package io.berth.api.event;

import org.jspecify.annotations.NullMarked;
