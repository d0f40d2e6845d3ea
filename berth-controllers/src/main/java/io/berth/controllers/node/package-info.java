/// What becomes of nodes in trouble, and of the pods on them.
@NullMarked
package io.berth.controllers.node;

import org.jspecify.annotations.NullMarked;
