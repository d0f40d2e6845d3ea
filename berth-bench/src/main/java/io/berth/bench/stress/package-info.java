/// The whole scheduler, with real threads and real requests, against an API server that is slow,
/// refuses what is too much and loses answers: permits, preemptions and a flood of news at once.
/// What the simulator shows in virtual time must hold here too.
@NullMarked
package io.berth.bench.stress;

import org.jspecify.annotations.NullMarked;
