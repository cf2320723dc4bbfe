/** The rail of test transactions. Called through {@link dev.ligeiro.processor.rail.Rails}; calls nobody. */
@NullMarked
package dev.ligeiro.processor.rail.simulator;

import org.jspecify.annotations.NullMarked;
