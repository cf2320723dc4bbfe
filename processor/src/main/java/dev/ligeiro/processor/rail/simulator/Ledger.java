package dev.ligeiro.processor.rail.simulator;

import java.util.UUID;
import reactor.core.publisher.Mono;

/** The simulated rail's own record of the money that it has moved. It outlives the processor, as a bank's does. */
interface Ledger {

    /**
     * Counts a submission. The first one of an id is recorded as {@code first} says; a later one changes nothing but the count and
     * the latest time. Completes when it is stored.
     *
     * @return the recorded entry; its {@link LedgerEntry#submissions} is 1 if this was the first submission of the id
     */
    Mono<LedgerEntry> submit(LedgerEntry first);

    /** The entry of an id; empty if it was never submitted. */
    Mono<LedgerEntry> find(UUID id);
}
