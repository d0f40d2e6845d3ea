/// Objects of the API server that plugins change in thought, until the change comes back from
/// there.
@NullMarked
package io.berth.api.assume;

import org.jspecify.annotations.NullMarked;
