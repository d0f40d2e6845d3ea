/// Spreads the pods of an application evenly over zones, nodes or other domains.
@NullMarked
package io.berth.plugins.podtopologyspread;

import org.jspecify.annotations.NullMarked;
