/// What an engine was told and what it made of it, so that another can be told the same.
@NullMarked
package io.berth.engine.journal;

import org.jspecify.annotations.NullMarked;
