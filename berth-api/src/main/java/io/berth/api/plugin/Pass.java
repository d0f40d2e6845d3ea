package io.berth.api.plugin;

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
