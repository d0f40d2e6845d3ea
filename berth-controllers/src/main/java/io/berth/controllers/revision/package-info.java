/// The history of a template, as stateful sets and daemon sets keep it.
@NullMarked
package io.berth.controllers.revision;

import org.jspecify.annotations.NullMarked;
