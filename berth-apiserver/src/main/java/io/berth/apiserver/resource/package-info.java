/// What the server serves: the one table of resources, from which routing, discovery and storage
/// are derived.
@NullMarked
package io.berth.apiserver.resource;

import org.jspecify.annotations.NullMarked;
