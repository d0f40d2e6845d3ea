package io.berth.lab.explain;

/// What a pod waits for, in one word. The names are stable: people alert on them.
public enum Category {
    /// It has a node.
    PLACED("Placed"),
    /// A gate keeps it from being tried.
    GATED("Gated"),
    /// A node could take it; it has not been its turn yet.
    WAITING_FOR_TURN("WaitingForTurn"),
    /// A node could take it; it was tried not long ago and backs off.
    BACKING_OFF("BackingOff"),
    /// Some node suits it, but is full.
    WAITING_FOR_ROOM("WaitingForRoom"),
    /// Pods are being evicted for it.
    WAITING_FOR_VICTIMS("WaitingForVictims"),
    /// A volume of its is not ready to be used.
    WAITING_FOR_VOLUME("WaitingForVolume"),
    /// No node suits it now, but one that is tainted or cordoned would, or a fresh one.
    NO_SUITABLE_NODE("NoSuitableNode"),
    /// No node like those that exist could ever take it.
    IMPOSSIBLE("Impossible"),
    /// It is placed in thought and waits for a permit.
    WAITING_FOR_PERMIT("WaitingForPermit"),
    /// It cannot be judged.
    ERROR("Error");

    private final String word;

    Category(String word) {
        this.word = word;
    }

    /// The name that users read.
    public String word() {
        return word;
    }
}
