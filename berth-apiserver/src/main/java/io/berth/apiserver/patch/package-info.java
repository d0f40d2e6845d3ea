/// The four kinds of patches that an API server takes: JSON patch, merge patch, strategic merge
/// patch and server-side apply. Pure functions: the given trees are never changed.
@NullMarked
package io.berth.apiserver.patch;

import org.jspecify.annotations.NullMarked;
