package io.berth.controllers.object;

/// What is kept of an object.
public interface Held {
    Meta meta();
}
