/// Reading plugin arguments out of a configuration file, with the field's path in every complaint.
@NullMarked
package io.berth.plugins.arguments;

import org.jspecify.annotations.NullMarked;
