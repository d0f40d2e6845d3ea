@NullMarked
package io.berth.tools.page;

import org.jspecify.annotations.NullMarked;
