package io.berth.sim;

/// The lives with even seeds.
final class EvenLivesTest extends LivesCase {
    EvenLivesTest() {
        super(2);
    }
}
