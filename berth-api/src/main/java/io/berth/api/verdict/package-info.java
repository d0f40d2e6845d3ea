/// What plugins answer: a verdict type for each extension point, and the answers that they share.
@NullMarked
package io.berth.api.verdict;

import org.jspecify.annotations.NullMarked;
