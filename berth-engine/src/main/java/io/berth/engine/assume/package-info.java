/// Objects of the API server that plugins change in thought, until the change comes back from
/// there.
@NullMarked
package io.berth.engine.assume;

import org.jspecify.annotations.NullMarked;
