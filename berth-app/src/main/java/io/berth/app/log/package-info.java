/// Log lines in the two forms of klog, text and JSON, for the scheduler itself and, through a small
/// SLF4J provider, for the libraries it uses.
@NullMarked
package io.berth.app.log;

import org.jspecify.annotations.NullMarked;
