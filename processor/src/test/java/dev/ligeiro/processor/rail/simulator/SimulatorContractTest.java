package dev.ligeiro.processor.rail.simulator;

/** The contract with one of the six fates at each step. */
class SimulatorContractTest extends SimulatorContract {

    private static final int DAILY = 6;

    @Override
    int oneFateIn() {
        return DAILY;
    }
}
