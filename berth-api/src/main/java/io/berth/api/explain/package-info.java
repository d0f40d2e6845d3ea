/// What can be said about one pod and the nodes at one moment, as values: for people who ask why,
/// and for checks.
@NullMarked
package io.berth.api.explain;

import org.jspecify.annotations.NullMarked;
