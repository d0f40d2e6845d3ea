/// Keeps pods apart that would use one disk, or one claim for a single pod.
@NullMarked
package io.berth.plugins.volumerestrictions;

import org.jspecify.annotations.NullMarked;
