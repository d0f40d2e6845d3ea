package io.berth.config.text;

/// A text that is no YAML or JSON, or too much of it. The message is one sentence for the operator.
public final class TextException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String sentence;

    public TextException(String sentence) {
        super(sentence);
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }
}
