/// How many pods of a budget may be missing now.
@NullMarked
package io.berth.controllers.disruption;

import org.jspecify.annotations.NullMarked;
