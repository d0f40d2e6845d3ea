package io.berth.up.scenario;

/// A file says something that cannot be done. The message is one sentence for the user.
public final class FileProblem extends RuntimeException {
    private static final long serialVersionUID = 1;

    public FileProblem(String sentence) {
        super(sentence);
    }
}
