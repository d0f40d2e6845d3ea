/// Talks HTTP with an API server, any API server, and knows the paths of the kinds.
@NullMarked
package io.berth.controllers.client;

import org.jspecify.annotations.NullMarked;
