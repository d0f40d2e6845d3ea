/// One interface per extension point, and how a plugin is made.
@NullMarked
package io.berth.api.plugin;

import org.jspecify.annotations.NullMarked;
