/// The page about any cluster, or about a dump of one.
@NullMarked
package io.berth.tools.page;

import org.jspecify.annotations.NullMarked;
