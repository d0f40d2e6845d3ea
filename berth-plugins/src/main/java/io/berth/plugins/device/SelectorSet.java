package io.berth.plugins.device;

import java.util.List;

/// The selectors of a class and of a request for its devices, all of which must hold. Equal ones
/// have equal answers, whatever claim they stand in.
record SelectorSet(List<String> ofClass, List<String> ofRequest) {}
