/// The arguments of our plugins: what they are where a file leaves them open, and what is wrong
/// with them.
@NullMarked
package io.berth.config.argument;

import org.jspecify.annotations.NullMarked;
