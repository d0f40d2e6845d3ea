/// Commands that come from outside, and what they are given.
@NullMarked
package io.berth.app.command;

import org.jspecify.annotations.NullMarked;
