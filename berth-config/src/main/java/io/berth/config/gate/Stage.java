package io.berth.config.gate;

/// How mature a feature is.
public enum Stage {
    /// Not there yet at that version.
    PRE_ALPHA("PRE-ALPHA"),
    ALPHA("ALPHA"),
    BETA("BETA"),
    GENERAL(""),
    DEPRECATED("DEPRECATED");

    private final String word;

    Stage(String word) {
        this.word = word;
    }

    /// The word for it in help texts and metrics; empty for features that are simply there.
    public String word() {
        return word;
    }
}
