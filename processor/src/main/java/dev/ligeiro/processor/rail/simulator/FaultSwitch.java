package dev.ligeiro.processor.rail.simulator;

import org.springframework.stereotype.Component;

/** Holds the faults of this process's simulated rail. There are none at start. */
@Component
class FaultSwitch {

    private volatile SimulatorFaults faults = SimulatorFaults.NONE;

    SimulatorFaults faults() {
        return faults;
    }

    void set(SimulatorFaults next) {
        faults = next;
    }
}
