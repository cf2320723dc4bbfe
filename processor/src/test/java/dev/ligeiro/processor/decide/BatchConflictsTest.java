package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.NOW;
import static dev.ligeiro.processor.decide.Situations.begin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Requests of changes whose idempotency key another transaction has. */
class BatchConflictsTest {

    private final Transaction cashin = Transactions.cashin(new Amount(15075));

    @Test
    void aRequestWhoseKeyAnotherTransactionHasIsRefused() {
        TransactionCommand cancel = Situations.change(cashin, new ChangeAction.Cancel(), "key-1");
        Transaction pending = cashin.accept();

        Batch refused = begin(Map.of(cashin.id(), pending), cancel)
                .decide(NOW)
                .written(new Conflicts(
                        Map.of(cashin.id(), Optional.of(pending)),
                        Set.of(new Conflicts.TakenKey(cashin.tenant(), "key-1"))))
                .decide(NOW);

        assertThat(refused.updates()).hasSize(1);
        assertThat(refused.updates().get(0).after().status()).isEqualTo(Status.PENDING);
        assertThat(refused.updates().get(0).newEntries())
                .containsExactly(new Entry.ChangeRefused(
                        ((TransactionCommand.Change) cancel).change().id(), "idempotency_key_reused", NOW));
        assertThat(refused.written(Conflicts.NONE).isComplete()).isTrue();
    }

    /**
     * A refund is written before the next command is decided, so each bulk finds one taken key. With the fault, the second key
     * made the batch forget the first, and the partition retried the batch for ever.
     */
    @Test
    void everyRefundWhoseKeyAnotherTransactionHasIsRefused() {
        Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);
        Set<Conflicts.TakenKey> taken = IntStream.rangeClosed(1, 5)
                .mapToObj(i -> new Conflicts.TakenKey(paid.tenant(), "key-" + i))
                .collect(Collectors.toSet());
        TransactionCommand[] refunds = taken.stream()
                .map(key -> new TransactionCommand.Change(
                        paid.id(),
                        new ChangeRef(UUID.randomUUID(), key.key()),
                        new ChangeAction.Refund(new Amount(100), null, null)))
                .toArray(TransactionCommand[]::new);

        Batch batch = begin(Map.of(paid.id(), paid), refunds);
        for (int bulk = 0; bulk <= taken.size(); bulk++) {
            Batch decided = batch.decide(NOW);
            batch = decided.written(keysTaken(decided.updates(), taken));
        }

        assertThat(batch.isComplete()).isTrue();
        assertThat(batch.conflicts()).isZero();
        assertThat(batch.runs().get(0).stored().history().refunds()).isEmpty();
        assertThat(batch.runs().get(0).stored().history().entries())
                .filteredOn(Entry.ChangeRefused.class::isInstance)
                .hasSize(taken.size());
    }

    /** With the fault, the holder of the key got a second entry, which said that another transaction has the key. */
    @Test
    void aRequestThatWasMadeIsNotRefusedForItsOwnKey() {
        TransactionCommand cancel = Situations.change(cashin, new ChangeAction.Cancel(), "key-1");
        Transaction canceled = begin(Map.of(cashin.id(), cashin.accept()), cancel)
                .decide(NOW)
                .updates()
                .get(0)
                .after();

        Batch again = begin(Map.of(cashin.id(), cashin.accept()), cancel)
                .decide(NOW)
                .written(new Conflicts(
                        Map.of(cashin.id(), Optional.of(canceled)),
                        Set.of(new Conflicts.TakenKey(cashin.tenant(), "key-1"))))
                .decide(NOW);

        assertThat(again.updates()).isEmpty();
        assertThat(again.isComplete()).isTrue();
    }

    /** The store's answer to updates of which each adds a taken key or none. */
    private static Conflicts keysTaken(List<Update> updates, Set<Conflicts.TakenKey> taken) {
        Map<TransactionId, Optional<Transaction>> stored = new HashMap<>();
        Set<Conflicts.TakenKey> found = new HashSet<>();
        for (Update update : updates) {
            update.newEntries().stream()
                    .map(entry -> new Conflicts.TakenKey(
                            update.before().tenant(), Objects.requireNonNullElse(entry.idempotencyKey(), "")))
                    .filter(taken::contains)
                    .forEach(key -> {
                        found.add(key);
                        stored.put(update.id(), Optional.of(update.before()));
                    });
        }
        return new Conflicts(stored, found);
    }
}
