/// Numbers as Kubernetes writes them: amounts of resources, durations.
@NullMarked
package io.berth.api.amount;

import org.jspecify.annotations.NullMarked;
