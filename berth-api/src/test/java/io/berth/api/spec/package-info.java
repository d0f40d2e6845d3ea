@NullMarked
package io.berth.api.spec;

import org.jspecify.annotations.NullMarked;
