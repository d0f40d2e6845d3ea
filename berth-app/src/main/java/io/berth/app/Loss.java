package io.berth.app;

/// How a scheduler lost the leadership against its will (P-232).
enum Loss {
    /// Another has it, or may have had it since.
    TAKEN,

    /// The lease could not be renewed in time, and nobody else was seen to hold it.
    LAPSED
}
