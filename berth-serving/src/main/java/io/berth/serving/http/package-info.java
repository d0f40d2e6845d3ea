/// The process's own HTTP port: connections, calls and replies, and the chain of filters before the
/// pages.
@NullMarked
package io.berth.serving.http;

import org.jspecify.annotations.NullMarked;
