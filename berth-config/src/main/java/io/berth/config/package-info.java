/// Configuration files and what becomes of them: reading, defaulting, checking, writing, and the
/// settings of the engine.
///
/// The way of a file: its text becomes a [io.berth.config.text.Value], which is compared with the
/// types of its version ([io.berth.config.schema]); an older version or a legacy policy is
/// rewritten to v1; [ProfileCompletion] fills in what the file leaves open; [Validation] checks the
/// result; [EngineConversion] hands it to the engine.
@NullMarked
package io.berth.config;

import org.jspecify.annotations.NullMarked;
