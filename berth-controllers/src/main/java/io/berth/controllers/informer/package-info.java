/// Keeps the objects of a kind at hand by listing and watching them.
@NullMarked
package io.berth.controllers.informer;

import org.jspecify.annotations.NullMarked;
