/// What configuration files may contain: the types of each version, and the strict check of a text
/// against them.
@NullMarked
package io.berth.config.schema;

import org.jspecify.annotations.NullMarked;
