/// What controllers read in objects: identity, owners, selectors, pods.
@NullMarked
package io.berth.controllers.object;

import org.jspecify.annotations.NullMarked;
