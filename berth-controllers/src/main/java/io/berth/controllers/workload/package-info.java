/// What controllers of pods share: making pods of templates, taking in those that match.
@NullMarked
package io.berth.controllers.workload;

import org.jspecify.annotations.NullMarked;
