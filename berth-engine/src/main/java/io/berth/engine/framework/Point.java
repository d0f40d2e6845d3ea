package io.berth.engine.framework;

import io.berth.api.plugin.Bind;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Permit;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PostBind;
import io.berth.api.plugin.PostFilter;
import io.berth.api.plugin.PreBind;
import io.berth.api.plugin.PreEnqueue;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.QueueSort;
import io.berth.api.plugin.Reserve;
import io.berth.api.plugin.Score;

/// The extension points that a profile can list plugins for.
public enum Point {
    PRE_FILTER("PreFilter", PreFilter.class),
    FILTER("Filter", Filter.class),
    POST_FILTER("PostFilter", PostFilter.class),
    RESERVE("Reserve", Reserve.class),
    PRE_SCORE("PreScore", PreScore.class),
    SCORE("Score", Score.class),
    PRE_BIND("PreBind", PreBind.class),
    BIND("Bind", Bind.class),
    POST_BIND("PostBind", PostBind.class),
    PERMIT("Permit", Permit.class),
    PRE_ENQUEUE("PreEnqueue", PreEnqueue.class),
    QUEUE_SORT("QueueSort", QueueSort.class);

    private final String text;
    private final Class<? extends Plugin> type;

    Point(String text, Class<? extends Plugin> type) {
        this.text = text;
        this.type = type;
    }

    /// The name in metrics.
    public String text() {
        return text;
    }

    /// The name in errors, such as `FilterPlugin`.
    public String typeName() {
        return text + "Plugin";
    }

    public boolean isOf(Plugin plugin) {
        return type.isInstance(plugin);
    }
}
