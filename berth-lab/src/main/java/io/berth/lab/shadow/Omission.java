package io.berth.lab.shadow;

/// Why a pod with a node was not judged.
public enum Omission {
    /// It had its node when it was first seen.
    UNSEEN("unseen", "had a node when first seen"),
    /// No profile of the configuration is for it.
    FOREIGN("foreign", "for a scheduler that the configuration has no profile for"),
    /// Judging had fallen too far behind.
    BEHIND("behind", "while judging was behind"),
    /// Something broke.
    ERROR("error", "could not be judged");

    private final String word;
    private final String meaning;

    Omission(String word, String meaning) {
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
}
