/// Resource claims that are made for pods, and what is left of them.
@NullMarked
package io.berth.controllers.device;

import org.jspecify.annotations.NullMarked;
