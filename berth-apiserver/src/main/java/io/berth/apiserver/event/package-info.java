/// Events, which two API groups show in two forms.
@NullMarked
package io.berth.apiserver.event;

import org.jspecify.annotations.NullMarked;
