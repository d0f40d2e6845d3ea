/// Reads lists and watches of the API's objects, in JSON or protobuf, into the model's records.
@NullMarked
package io.berth.kube.codec;

import org.jspecify.annotations.NullMarked;
