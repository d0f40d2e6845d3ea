/// The one shape of every answer that is not an object: `Status`.
@NullMarked
package io.berth.apiserver.status;

import org.jspecify.annotations.NullMarked;
