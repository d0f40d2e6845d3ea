@NullMarked
package io.berth.api.amount;

import org.jspecify.annotations.NullMarked;
