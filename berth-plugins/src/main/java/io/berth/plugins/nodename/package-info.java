/// Keeps a pod that names its node on that node.
@NullMarked
package io.berth.plugins.nodename;

import org.jspecify.annotations.NullMarked;
