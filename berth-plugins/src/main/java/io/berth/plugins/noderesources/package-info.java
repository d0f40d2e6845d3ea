/// Room on a node, and how evenly it is used.
@NullMarked
package io.berth.plugins.noderesources;

import org.jspecify.annotations.NullMarked;
