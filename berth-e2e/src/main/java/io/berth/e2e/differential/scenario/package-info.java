/// Clusters and pods made from seeds.
@NullMarked
package io.berth.e2e.differential.scenario;

import org.jspecify.annotations.NullMarked;
