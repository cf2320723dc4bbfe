package dev.ligeiro.processor.rail.simulator;

import org.junit.jupiter.api.Tag;

/** The contract with each fate at each step. */
@Tag("nightly")
class SimulatorWholeContractTest extends SimulatorContract {

    @Override
    int oneFateIn() {
        return 1;
    }
}
