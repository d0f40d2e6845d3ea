package io.berth.plugins.topology;

import java.util.Arrays;

/// Numbered arrays that one attempt after the other uses again: a count per host is as long as the
/// list of nodes, too much to allocate for every pod.
///
/// Belongs to one plugin and, as that, to the engine's thread. What an attempt wrote is lost with
/// the next attempt.
public final class SpareArrays {
    private long[][] arrays = new long[2][0];

    /// An array of at least that size, all zero.
    public long[] zeroes(int number, int size) {
        if (number >= arrays.length) {
            int known = arrays.length;
            arrays = Arrays.copyOf(arrays, number + 1);
            Arrays.fill(arrays, known, arrays.length, new long[0]);
        }
        if (arrays[number].length < size) {
            arrays[number] = new long[size];
        } else {
            Arrays.fill(arrays[number], 0);
        }
        return arrays[number];
    }
}
