/// What the server says about itself: groups, versions and resources, its own version, and the
/// OpenAPI documents. Everything is derived from the table of resources and the schema catalog.
@NullMarked
package io.berth.apiserver.discovery;

import org.jspecify.annotations.NullMarked;
