/** The simulated rail of test transactions. Called through {@link dev.ligeiro.processor.rail.Rails}; makes no calls. */
@NullMarked
package dev.ligeiro.processor.rail.simulator;

import org.jspecify.annotations.NullMarked;
