package io.berth.lab.shadow;

/// What a decision of another scheduler is worth to us.
public enum Result {
    BEST("best", "no node was better, in the cluster just before the binding"),
    UNDER_WAY(
            "under_way", "best once bindings under way are counted: the two saw different states"),
    SAMPLED("sampled", "a better node was there; the scheduler looks at some of the nodes only"),
    WORSE("worse", "a better node was there, and nothing explains why it was not taken"),
    REFUSED("refused", "a filter refuses the node, and nothing explains why it was taken");

    private final String word;
    private final String meaning;

    Result(String word, String meaning) {
        this.word = word;
        this.meaning = meaning;
    }

    /// As programs know it.
    public String word() {
        return word;
    }

    public String meaning() {
        return meaning;
    }

    /// Whether it is known why the two of us differ, where we do.
    public boolean isExplained() {
        return this == UNDER_WAY || this == SAMPLED;
    }

    public boolean isUnexplained() {
        return this == WORSE || this == REFUSED;
    }
}
