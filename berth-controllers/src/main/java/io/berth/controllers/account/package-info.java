/// The service account that every namespace has.
@NullMarked
package io.berth.controllers.account;

import org.jspecify.annotations.NullMarked;
