/// Command-line flags with the rules and the error texts of pflag, which operators of
/// kube-scheduler know.
@NullMarked
package io.berth.app.flag;

import org.jspecify.annotations.NullMarked;
