/// Reading and writing JSON trees.
@NullMarked
package io.berth.apiserver.json;

import org.jspecify.annotations.NullMarked;
