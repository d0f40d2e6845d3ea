package io.berth.api.event;

/// Kinds of change, as bits of a mask. Their numeric order is part of how events match (rule E-53).
public final class Action {
    public static final int ADD = 1;
    public static final int DELETE = 1 << 1;
    public static final int UPDATE_NODE_ALLOCATABLE = 1 << 2;
    public static final int UPDATE_NODE_LABEL = 1 << 3;
    public static final int UPDATE_NODE_TAINT = 1 << 4;
    public static final int UPDATE_NODE_CONDITION = 1 << 5;
    public static final int UPDATE_NODE_ANNOTATION = 1 << 6;
    public static final int UPDATE_NODE_DECLARED_FEATURE = 1 << 7;
    public static final int UPDATE_POD_LABEL = 1 << 8;
    public static final int UPDATE_POD_SCALE_DOWN = 1 << 9;
    public static final int UPDATE_POD_TOLERATION = 1 << 10;
    public static final int UPDATE_POD_SCHEDULING_GATES_ELIMINATED = 1 << 11;
    public static final int UPDATE_POD_GENERATED_RESOURCE_CLAIM = 1 << 12;
    public static final int ALL = (1 << 13) - 1;
    public static final int UPDATE = ALL & ~(ADD | DELETE);

    private Action() {}

    /// The name that metrics and logs use, such as `Add` or `UpdateNodeTaint`; empty for a mixture.
    public static String nameOf(int actions) {
        return switch (actions) {
            case ADD -> "Add";
            case DELETE -> "Delete";
            case UPDATE_NODE_ALLOCATABLE -> "UpdateNodeAllocatable";
            case UPDATE_NODE_LABEL -> "UpdateNodeLabel";
            case UPDATE_NODE_TAINT -> "UpdateNodeTaint";
            case UPDATE_NODE_CONDITION -> "UpdateNodeCondition";
            case UPDATE_NODE_ANNOTATION -> "UpdateNodeAnnotation";
            case UPDATE_NODE_DECLARED_FEATURE -> "UpdateNodeDeclaredFeature";
            case UPDATE_POD_LABEL -> "UpdatePodLabel";
            case UPDATE_POD_SCALE_DOWN -> "UpdatePodScaleDown";
            case UPDATE_POD_TOLERATION -> "UpdatePodToleration";
            case UPDATE_POD_SCHEDULING_GATES_ELIMINATED -> "UpdatePodSchedulingGatesEliminated";
            case UPDATE_POD_GENERATED_RESOURCE_CLAIM -> "UpdatePodGeneratedResourceClaim";
            case ALL -> "All";
            case UPDATE -> "Update";
            default -> "";
        };
    }
}
