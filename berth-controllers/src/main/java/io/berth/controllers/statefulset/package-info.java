/// Stateful sets: pods with names and claims of their own, one after the other.
@NullMarked
package io.berth.controllers.statefulset;

import org.jspecify.annotations.NullMarked;
