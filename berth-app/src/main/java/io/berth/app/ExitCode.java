package io.berth.app;

/// What the process tells its parent.
public final class ExitCode {
    public static final int OK = 0;

    /// The work could not be done, or a scheduler flag was wrong, as with kube-scheduler.
    public static final int FAILED = 1;

    /// A command of Berth's own was called in a wrong way.
    public static final int USAGE = 2;

    private ExitCode() {}
}
