package io.berth.app.compiler;

import io.berth.api.handle.Log;

/// A program with one method that is called until it has been compiled as well as it may be.
final class RisingMethod {
    private static final int WELL = 4;
    private static int result;

    private RisingMethod() {}

    public static void main(String[] arguments) throws InterruptedException {
        callUntil(CompiledMethods.SIMPLE);
        switch (WhiteBox.open()) {
            case WhiteBox.Shut(var why) -> System.out.println("shut: " + why);
            case WhiteBox.Open(var box) -> rise(box);
        }
    }

    private static void rise(WhiteBox box) throws InterruptedException {
        try (var late = new LateCompilation(() -> 0, Log.NONE)) {
            late.release(box);
        }
        System.out.println("restarted");
        callUntil(WELL);
        System.err.println("sum " + result);
    }

    private static void callUntil(int level) {
        do {
            for (int i = 0; i < 100_000; i++) {
                result += work(i);
            }
        } while (CompiledMethods.of(level).stream()
                .noneMatch(method ->
                        method.getDeclaringClass() == RisingMethod.class
                                && method.getName().equals("work")));
        System.out.println("level " + level);
    }

    private static int work(int number) {
        int sum = 0;
        for (int i = 0; i < 20; i++) {
            sum += number * i ^ (sum >>> 3);
        }
        return sum;
    }
}
