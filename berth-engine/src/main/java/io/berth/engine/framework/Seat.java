package io.berth.engine.framework;

import io.berth.api.plugin.Plugin;
import io.berth.engine.port.PluginMetrics;
import io.berth.engine.port.StatusCode;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A plugin at one of its extension points, with what is counted about it there, and the one way to
/// call it: timed in attempts that were picked for it, and with whatever it breaks with told in
/// upstream's words. From any thread.
public final class Seat<P extends Plugin> {
    /// Words what a plugin broke with.
    @FunctionalInterface
    public interface Wording {
        PluginFailure of(String plugin, Throwable cause);
    }

    private final P plugin;
    private final PluginMetrics metrics;
    private final Meter meter;
    private final Wording wording;

    Seat(P plugin, PluginMetrics metrics, Meter meter, Wording wording) {
        this.plugin = plugin;
        this.metrics = metrics;
        this.meter = meter;
        this.wording = wording;
    }

    public P plugin() {
        return plugin;
    }

    public String name() {
        return plugin.name();
    }

    public PluginMetrics metrics() {
        return metrics;
    }

    /// Asks the plugin.
    ///
    /// @param code what metrics call the answer
    /// @throws PluginFailure where the plugin breaks
    public <V extends @Nullable Object> V ask(
            CycleState cycle,
            Function<? super P, ? extends V> question,
            Function<? super V, StatusCode> code) {
        long begin = meter.beginPlugin(cycle);
        var status = StatusCode.ERROR;
        try {
            V answer = question.apply(plugin);
            status = code.apply(answer);
            return answer;
        } catch (Throwable broken) {
            throw wording.of(plugin.name(), broken);
        } finally {
            meter.endPlugin(metrics, status, begin);
        }
    }

    /// Has the plugin do something that it gives no answer to.
    ///
    /// @throws PluginFailure where the plugin breaks
    public void run(CycleState cycle, Consumer<? super P> work) {
        long begin = meter.beginPlugin(cycle);
        var status = StatusCode.ERROR;
        try {
            work.accept(plugin);
            status = StatusCode.SUCCESS;
        } catch (Throwable broken) {
            throw wording.of(plugin.name(), broken);
        } finally {
            meter.endPlugin(metrics, status, begin);
        }
    }

    /// Tells the plugin something. Where it breaks, that is noted and stops nothing.
    public void tell(CycleState cycle, Consumer<? super P> news, FailureSink failures) {
        long begin = meter.beginPlugin(cycle);
        try {
            news.accept(plugin);
        } catch (Throwable broken) {
            failures.failed(plugin.name(), broken);
        }
        meter.endPlugin(metrics, StatusCode.SUCCESS, begin);
    }
}
