/// What the JVM's compilers are told while the process runs.
@NullMarked
package io.berth.app.compiler;

import org.jspecify.annotations.NullMarked;
