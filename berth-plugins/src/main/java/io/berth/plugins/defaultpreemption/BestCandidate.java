package io.berth.plugins.defaultpreemption;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/// Picks the candidate that hurts least (rule E-160). Each criterion decides only among those that
/// the earlier ones leave equal; in the end the first in the list wins.
final class BestCandidate {
    private BestCandidate() {}

    static Candidate of(List<Candidate> candidates, long nowMillis) {
        List<ToLongFunction<Candidate>> criteria =
                List.of(
                        c -> -c.violations(),
                        c -> -highestPriority(c),
                        c -> -prioritySum(c),
                        c -> -c.victims().size(),
                        c -> earliestStartOfHighest(c, nowMillis));
        var left = candidates;
        for (var criterion : criteria) {
            if (left.size() == 1) {
                break;
            }
            left = best(left, criterion);
        }
        return left.getFirst();
    }

    private static List<Candidate> best(
            List<Candidate> candidates, ToLongFunction<Candidate> criterion) {
        long best = Long.MIN_VALUE;
        var result = new ArrayList<Candidate>();
        for (var candidate : candidates) {
            long value = criterion.applyAsLong(candidate);
            if (value > best) {
                best = value;
                result.clear();
            }
            if (value == best) {
                result.add(candidate);
            }
        }
        return result;
    }

    private static long highestPriority(Candidate candidate) {
        return candidate.victims().getFirst().spec().priority();
    }

    /// Priorities are shifted to be positive, so that more victims always weigh more.
    private static long prioritySum(Candidate candidate) {
        long sum = 0;
        for (var victim : candidate.victims()) {
            sum += victim.spec().priority() + (1L << 31);
        }
        return sum;
    }

    /// Victims that an extender chose are in its order, so the first need not be the highest.
    private static long earliestStartOfHighest(Candidate candidate, long nowMillis) {
        int highest = Integer.MIN_VALUE;
        long earliest = Long.MAX_VALUE;
        for (var victim : candidate.victims()) {
            int priority = victim.spec().priority();
            long start = Importance.startMillis(victim, nowMillis);
            if (priority > highest) {
                highest = priority;
                earliest = start;
            } else if (priority == highest) {
                earliest = Math.min(earliest, start);
            }
        }
        return earliest;
    }
}
