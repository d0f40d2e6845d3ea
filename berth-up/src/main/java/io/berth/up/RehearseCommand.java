package io.berth.up;

import io.berth.app.command.Command;
import io.berth.app.command.Streams;
import io.berth.app.flag.FlagSet;
import java.util.List;

/// `berth rehearse`: a step of the build.
public final class RehearseCommand implements Command {
    @Override
    public String name() {
        return "rehearse";
    }

    @Override
    public String summary() {
        return "";
    }

    @Override
    public String help() {
        return "";
    }

    @Override
    public FlagSet flags() {
        return new FlagSet(List.of());
    }

    @Override
    public int run(List<String> words, Streams streams) {
        return new Rehearsal(streams.out(), streams.err()).run();
    }
}
