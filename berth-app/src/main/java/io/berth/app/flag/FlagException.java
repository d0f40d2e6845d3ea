package io.berth.app.flag;

/// A command line that does not follow the rules. Its sentence is what the user reads.
public final class FlagException extends Exception {
    private final String sentence;

    public FlagException(String sentence) {
        super(sentence);
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }
}
