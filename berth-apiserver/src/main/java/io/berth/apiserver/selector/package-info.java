/// Label and field selectors.
@NullMarked
package io.berth.apiserver.selector;

import org.jspecify.annotations.NullMarked;
