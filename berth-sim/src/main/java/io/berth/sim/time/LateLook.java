package io.berth.sim.time;

/// Has somebody look at the cluster some time after it changed: soon in a calm, in a storm now and
/// then late. However much changes until then, there is one look.
public final class LateLook {
    private static final int SOON_MILLIS = 50;
    private static final int USUAL_MILLIS = 40;

    private final VirtualTime time;
    private final Chance chance;
    private final int latestMillis;
    private final Runnable look;
    private boolean isCalm;
    private boolean isPlanned;

    /// @param latestMillis how late a look may be in a storm
    public LateLook(VirtualTime time, Chance chance, int latestMillis, Runnable look) {
        this.time = time;
        this.chance = chance;
        this.latestMillis = latestMillis;
        this.look = look;
    }

    /// Storm or calm begins, and that is worth a look.
    public void calm(boolean calm) {
        isCalm = calm;
        plan();
    }

    public boolean isCalm() {
        return isCalm;
    }

    public void plan() {
        if (!isPlanned) {
            isPlanned = true;
            time.in(
                    isCalm
                            ? chance.between(1, SOON_MILLIS)
                            : chance.delay(USUAL_MILLIS, latestMillis),
                    this::look);
        }
    }

    private void look() {
        isPlanned = false;
        look.run();
    }
}
