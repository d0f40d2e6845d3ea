/// Keeps nodes from getting more volumes of a driver than it can attach to them.
@NullMarked
package io.berth.plugins.nodevolumelimits;

import org.jspecify.annotations.NullMarked;
