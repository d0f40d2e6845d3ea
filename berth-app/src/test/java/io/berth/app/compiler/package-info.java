@NullMarked
package io.berth.app.compiler;

import org.jspecify.annotations.NullMarked;
