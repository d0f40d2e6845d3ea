/// What a plugin may reach of the scheduler that it runs in, through its `Handle`.
@NullMarked
package io.berth.api.handle;

import org.jspecify.annotations.NullMarked;
