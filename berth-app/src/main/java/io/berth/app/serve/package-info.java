/// The process's own HTTP port: TLS, the chain of filters, and the pages for health, metrics,
/// configuration and debugging.
@NullMarked
package io.berth.app.serve;

import org.jspecify.annotations.NullMarked;
