package io.berth.api.verdict;

/// "Fine with me."
public record Pass()
        implements Verdict,
                PreFilterVerdict,
                ReserveVerdict,
                PermitVerdict,
                PreBindVerdict,
                BindVerdict {
    static final Pass INSTANCE = new Pass();
}
