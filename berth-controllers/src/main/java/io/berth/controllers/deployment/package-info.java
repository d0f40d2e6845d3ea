/// Deployments: replica sets that follow each other, revision by revision.
@NullMarked
package io.berth.controllers.deployment;

import org.jspecify.annotations.NullMarked;
