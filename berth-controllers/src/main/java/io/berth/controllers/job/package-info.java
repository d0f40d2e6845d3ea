/// Jobs: pods that are to end, as often as wanted.
@NullMarked
package io.berth.controllers.job;

import org.jspecify.annotations.NullMarked;
