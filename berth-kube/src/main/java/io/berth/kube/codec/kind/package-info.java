/// Reads each kind of object into its record: one `KindReader` per kind, all in `KindTable`.
@NullMarked
package io.berth.kube.codec.kind;

import org.jspecify.annotations.NullMarked;
