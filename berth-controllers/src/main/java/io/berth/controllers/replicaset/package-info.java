/// Replica sets and replication controllers: as many pods as wanted.
@NullMarked
package io.berth.controllers.replicaset;

import org.jspecify.annotations.NullMarked;
