/// Reads the API's objects, in JSON or protobuf, straight into the model's records, value by value.
@NullMarked
package io.berth.kube.codec;

import org.jspecify.annotations.NullMarked;
