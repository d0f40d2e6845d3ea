/// Keeps pods off nodes that lack a feature they need.
@NullMarked
package io.berth.plugins.nodedeclaredfeatures;

import org.jspecify.annotations.NullMarked;
