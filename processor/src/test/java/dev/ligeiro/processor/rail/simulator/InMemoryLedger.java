package dev.ligeiro.processor.rail.simulator;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import reactor.core.publisher.Mono;

/** A ledger without MongoDB, which answers at once. */
final class InMemoryLedger implements Ledger {

    private final Map<UUID, LedgerEntry> entries = new HashMap<>();

    @Override
    public Mono<LedgerEntry> submit(LedgerEntry first) {
        return Mono.just(entries.merge(
                first.id(),
                first,
                (known, again) -> new LedgerEntry(
                        known.id(),
                        known.kind(),
                        known.transaction(),
                        known.amount(),
                        known.state(),
                        known.submissions() + 1,
                        known.firstAt(),
                        again.lastAt())));
    }

    @Override
    public Mono<LedgerEntry> find(UUID id) {
        return Mono.justOrEmpty(entries.get(id));
    }

    int submissions(UUID id) {
        return entries.containsKey(id) ? entries.get(id).submissions() : 0;
    }

    int moved(UUID id) {
        return entries.containsKey(id) && entries.get(id).movedMoney() ? 1 : 0;
    }
}
