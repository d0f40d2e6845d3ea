/// What a pod asks for: the part of it that its template fixes, and the values that it is made of.
@NullMarked
package io.berth.api.spec;

import org.jspecify.annotations.NullMarked;
