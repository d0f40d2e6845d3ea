/// Small helpers for judging whether an event may make a waiting pod schedulable.
@NullMarked
package io.berth.plugins.hint;

import org.jspecify.annotations.NullMarked;
