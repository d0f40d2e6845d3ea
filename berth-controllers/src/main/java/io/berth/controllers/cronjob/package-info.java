/// Jobs that come back at their times.
@NullMarked
package io.berth.controllers.cronjob;

import org.jspecify.annotations.NullMarked;
