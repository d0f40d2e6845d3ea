package io.berth.app.packaging;

import java.util.ArrayList;

/// A program that takes memory until there is none.
final class EndlessList {
    private EndlessList() {}

    public static void main(String[] arguments) {
        var list = new ArrayList<byte[]>();
        while (list.size() < Integer.MAX_VALUE) {
            list.add(new byte[1 << 20]);
        }
    }
}
