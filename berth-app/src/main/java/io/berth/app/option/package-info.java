/// What the command line asks of the scheduler, by the groups of its flags, checked in the words of
/// kube-scheduler.
@NullMarked
package io.berth.app.option;

import org.jspecify.annotations.NullMarked;
