/// The page in a real browser.
@NullMarked
package io.berth.up.browser;

import org.jspecify.annotations.NullMarked;
