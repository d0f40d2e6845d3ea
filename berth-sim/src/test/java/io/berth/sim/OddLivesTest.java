package io.berth.sim;

/// The lives with odd seeds.
final class OddLivesTest extends LivesCase {
    OddLivesTest() {
        super(1);
    }
}
