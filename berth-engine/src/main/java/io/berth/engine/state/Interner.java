package io.berth.engine.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Numbers for values, dense from 0, which stands for "nothing".
///
/// Values are counted by their users. A value that nobody uses keeps its number until [#reuseDead]:
/// whoever worked something out for a number may rely on it until then, and is told by a new epoch.
final class Interner<T> {
    static final int NONE = 0;
    private static final int DEAD_TOLERATED = 256;

    private final Map<T, Integer> ids = new HashMap<>();
    private final List<T> values = new ArrayList<>();
    private int[] users = new int[16];
    private int[] free = new int[16];
    private int freeCount;
    private int dead;
    private int allUsers;

    Interner(T nothing) {
        values.add(nothing);
    }

    int acquire(T value) {
        Integer known = ids.get(value);
        int id;
        if (known != null) {
            id = known;
            if (users[id] == 0) {
                dead--;
            }
        } else {
            id = newId(value);
            ids.put(value, id);
        }
        users[id]++;
        allUsers++;
        return id;
    }

    void release(int id) {
        if (id == NONE) {
            return;
        }
        allUsers--;
        if (--users[id] == 0) {
            dead++;
        }
    }

    /// Whether no value has two users.
    boolean isDistinct() {
        return allUsers == ids.size() - dead;
    }

    int idOf(T value) {
        return ids.getOrDefault(value, NONE);
    }

    T value(int id) {
        return values.get(id);
    }

    /// Whether a number stands for a value. One that does not is given again without a new epoch.
    /// Nothing, as a value, is taken for none.
    boolean isGiven(int id) {
        return id == NONE || !values.get(id).equals(values.getFirst());
    }

    /// One more than the largest number ever given.
    int limit() {
        return values.size();
    }

    /// Whether no value has a number.
    boolean isEmpty() {
        return ids.isEmpty();
    }

    /// Whether so many values are unused that their numbers should be given again.
    boolean hasManyDead() {
        return dead > Math.max(DEAD_TOLERATED, ids.size() - dead);
    }

    /// Frees the numbers of unused values. Numbers in use stay.
    void reuseDead() {
        ids.values()
                .removeIf(id -> {
                    if (users[id] > 0) {
                        return false;
                    }
                    if (freeCount == free.length) {
                        free = Arrays.copyOf(free, 2 * freeCount);
                    }
                    free[freeCount++] = id;
                    values.set(id, values.getFirst());
                    return true;
                });
        dead = 0;
    }

    private int newId(T value) {
        if (freeCount > 0) {
            int id = free[--freeCount];
            values.set(id, value);
            return id;
        }
        values.add(value);
        int id = values.size() - 1;
        if (id >= users.length) {
            users = Arrays.copyOf(users, 2 * id);
        }
        return id;
    }
}
