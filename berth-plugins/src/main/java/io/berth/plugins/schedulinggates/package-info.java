/// Holds back pods that have scheduling gates.
@NullMarked
package io.berth.plugins.schedulinggates;

import org.jspecify.annotations.NullMarked;
