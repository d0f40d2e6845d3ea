/// Reads the API's JSON straight into the model's records, one token at a time.
@NullMarked
package io.berth.kube.codec;

import org.jspecify.annotations.NullMarked;
