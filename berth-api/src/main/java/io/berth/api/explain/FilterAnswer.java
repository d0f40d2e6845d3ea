package io.berth.api.explain;

import io.berth.api.verdict.Lack;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import java.util.List;

/// What one filter said about a pod on one node.
///
/// @param lacks what the node has too little of, where the filter refuses it for that and can tell
/// @param detail why, more exactly than the verdict's reasons; empty where there is no more to say
public record FilterAnswer(String plugin, Verdict verdict, List<Lack> lacks, String detail) {
    public FilterAnswer {
        lacks = List.copyOf(lacks);
    }

    public FilterAnswer(String plugin, Verdict verdict, List<Lack> lacks) {
        this(plugin, verdict, lacks, "");
    }

    public FilterAnswer(String plugin, Verdict verdict) {
        this(plugin, verdict, List.of());
    }

    public boolean isRefusal() {
        return verdict instanceof Refusal;
    }
}
