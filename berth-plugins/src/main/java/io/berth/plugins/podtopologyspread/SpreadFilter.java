package io.berth.plugins.podtopologyspread;

import io.berth.api.column.SlotTrait;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The hard constraints of one pod during one attempt, and the judgement of nodes by them.
final class SpreadFilter implements Cycle.Note {
    static final Cycle.Key<SpreadFilter> KEY = new Cycle.Key<>(SpreadFilter.class);

    static final Refusal LABEL_MISSING =
            Refusal.hopeless(
                    "node(s) didn't match pod topology spread constraints (missing required"
                            + " label)");
    static final Refusal TOO_SKEWED =
            Refusal.mayPreempt("node(s) didn't match pod topology spread constraints");

    private final HardConstraint[] constraints;

    SpreadFilter(HardConstraint[] constraints) {
        this.constraints = constraints;
    }

    @Override
    public Cycle.Note copy() {
        var copies = new HardConstraint[constraints.length];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = constraints[i].copy();
        }
        return new SpreadFilter(copies);
    }

    void change(Pod pod, Pod other, Node node, int change) {
        if (other.namespace().equals(pod.namespace())) {
            for (var constraint : constraints) {
                constraint.change(pod, other, node, change);
            }
        }
    }

    SlotJudge judge() {
        var domains = new int[constraints.length][];
        for (int i = 0; i < domains.length; i++) {
            domains[i] = constraints[i].domainBySlot();
        }
        return new Judge(constraints, domains);
    }

    private record Judge(HardConstraint[] constraints, int[][] domainBySlot) implements SlotJudge {
        @Override
        public boolean passes(int slot) {
            for (int i = 0; i < constraints.length; i++) {
                int domain = domainBySlot[i][slot];
                if (domain == 0 || !constraints[i].allows(domain)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int retain(int[] slots, int count) {
            int kept = count;
            for (int i = 0; i < constraints.length; i++) {
                kept = constraints[i].retain(domainBySlot[i], slots, kept);
            }
            return kept;
        }

        @Override
        public @Nullable List<SlotTrait> traits() {
            var traits = new ArrayList<SlotTrait>(constraints.length);
            for (var constraint : constraints) {
                var trait = constraint.trait();
                if (trait == null) {
                    return null;
                }
                traits.add(trait);
            }
            return traits;
        }

        @Override
        public String detail(int slot) {
            for (int i = 0; i < constraints.length; i++) {
                int domain = domainBySlot[i][slot];
                if (domain == 0 || !constraints[i].allows(domain)) {
                    return constraints[i].words(domain);
                }
            }
            return "";
        }

        @Override
        public Verdict explain(int slot) {
            for (int i = 0; i < constraints.length; i++) {
                int domain = domainBySlot[i][slot];
                if (domain == 0) {
                    return LABEL_MISSING;
                }
                if (!constraints[i].allows(domain)) {
                    return TOO_SKEWED;
                }
            }
            return Verdict.PASS;
        }
    }
}
