package dev.ligeiro.processor.rail.simulator;

class InMemoryLedgerTest extends LedgerContract {

    private final InMemoryLedger ledger = new InMemoryLedger();

    @Override
    Ledger ledger() {
        return ledger;
    }
}
