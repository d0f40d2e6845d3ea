/// Tests of the plugin framework.
@NullMarked
package io.berth.engine.framework;

import org.jspecify.annotations.NullMarked;
