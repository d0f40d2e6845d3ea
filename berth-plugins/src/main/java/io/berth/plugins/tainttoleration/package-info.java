/// Keeps pods off nodes whose taints they do not tolerate.
@NullMarked
package io.berth.plugins.tainttoleration;

import org.jspecify.annotations.NullMarked;
