/// Who calls our own port and what they may ask, both decided by the cluster's API server.
@NullMarked
package io.berth.serving.auth;

import org.jspecify.annotations.NullMarked;
