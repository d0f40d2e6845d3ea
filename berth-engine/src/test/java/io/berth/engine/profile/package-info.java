/// Tests of profiles, with hand-written plugins.
@NullMarked
package io.berth.engine.profile;

import org.jspecify.annotations.NullMarked;
