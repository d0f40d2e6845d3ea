package io.berth.serving.page;

import java.time.Instant;

/// What `/statusz` tells about the process.
///
/// @param binaryVersion such as `1.36.4`
/// @param emulationVersion such as `1.36`
public record ProcessFacts(Instant started, String binaryVersion, String emulationVersion) {}
