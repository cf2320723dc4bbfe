/**
 * The simulated rail of test transactions. Called through {@link dev.ligeiro.processor.rail.Rails}; it writes its ledger to MongoDB and,
 * if a test wants it, sends notifications through {@link dev.ligeiro.processor.rail.RailCommandPublisher}.
 */
@NullMarked
package dev.ligeiro.processor.rail.simulator;

import org.jspecify.annotations.NullMarked;
