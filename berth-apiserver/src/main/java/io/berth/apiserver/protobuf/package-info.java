/// Reads protobuf request bodies. Go programs send them by default; responses are always JSON,
/// which the same programs accept.
@NullMarked
package io.berth.apiserver.protobuf;

import org.jspecify.annotations.NullMarked;
