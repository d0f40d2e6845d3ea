/// Devices: what drivers offer, what claims ask for and what they have got.
@NullMarked
package io.berth.api.device;

import org.jspecify.annotations.NullMarked;
