package dev.ligeiro.processor.rail.simulator;

/** The contract with a third of the fates at each step. */
class SimulatorContractTest extends SimulatorContract {

    private static final int DAILY = 3;

    @Override
    int oneFateIn() {
        return DAILY;
    }
}
