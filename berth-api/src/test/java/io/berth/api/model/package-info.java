@NullMarked
package io.berth.api.model;

import org.jspecify.annotations.NullMarked;
