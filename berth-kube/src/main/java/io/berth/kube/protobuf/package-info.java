/// The wire format of protobuf, as far as the API uses it: fields of messages in an array of bytes,
/// and the API's envelope around an object.
@NullMarked
package io.berth.kube.protobuf;

import org.jspecify.annotations.NullMarked;
