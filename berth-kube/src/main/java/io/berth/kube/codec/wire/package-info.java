/// Values as they stand on the wire, in JSON or protobuf, one after the other.
@NullMarked
package io.berth.kube.codec.wire;

import org.jspecify.annotations.NullMarked;
