/// Claims and volumes: binding, provisioning, reclaiming; claims that are made for pods.
@NullMarked
package io.berth.controllers.volume;

import org.jspecify.annotations.NullMarked;
