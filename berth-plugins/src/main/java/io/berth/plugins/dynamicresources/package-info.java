/// Pods with resource claims.
@NullMarked
package io.berth.plugins.dynamicresources;

import org.jspecify.annotations.NullMarked;
