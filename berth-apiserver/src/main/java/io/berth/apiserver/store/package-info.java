/// The memory of the server: objects by key, one revision counter, and a bounded history of
/// changes.
@NullMarked
package io.berth.apiserver.store;

import org.jspecify.annotations.NullMarked;
