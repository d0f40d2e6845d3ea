/// What controllers have to do, said to an API server and looked up there: these suites know a
/// cluster by its URL alone.
@NullMarked
package io.berth.controllers.suite;

import org.jspecify.annotations.NullMarked;
