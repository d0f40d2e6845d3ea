/// What happens in the cluster, and which of it may make a waiting pod schedulable.
@NullMarked
package io.berth.api.event;

import org.jspecify.annotations.NullMarked;
