/// The controllers of a small cluster, as clients of any API server.
@NullMarked
package io.berth.controllers;

import org.jspecify.annotations.NullMarked;
