/// What happens to an object between its arrival and the store: decoding against the schema,
/// defaulting, mutating admission, and validation. No store and no HTTP; what must be looked up
/// arrives through [io.berth.apiserver.admission.ClusterFacts].
@NullMarked
package io.berth.apiserver.admission;

import org.jspecify.annotations.NullMarked;
