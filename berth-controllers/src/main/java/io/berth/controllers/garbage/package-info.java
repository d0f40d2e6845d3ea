/// Deletes what has lost its owners, and obeys the policies by which owners are deleted.
@NullMarked
package io.berth.controllers.garbage;

import org.jspecify.annotations.NullMarked;
