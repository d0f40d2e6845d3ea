/// The plugins that Berth brings along, one package each.
@NullMarked
package io.berth.plugins;

import org.jspecify.annotations.NullMarked;
