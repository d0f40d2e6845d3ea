/// One interface per extension point, the verdicts that each may give, and what a plugin may reach.
@NullMarked
package io.berth.api.plugin;

import org.jspecify.annotations.NullMarked;
