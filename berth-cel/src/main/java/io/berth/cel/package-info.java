/// Selectors of devices, as Kubernetes writes them in CEL. The only place that knows the language's
/// library, none of which is loaded before the first selector is asked for.
@NullMarked
package io.berth.cel;

import org.jspecify.annotations.NullMarked;
