package dev.ligeiro.processor.rail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the ledger promises, in memory and in MongoDB. */
abstract class LedgerContract {

    static final Instant NOW = Instant.parse("2026-03-10T14:31:00.456Z");
    static final Duration TIMEOUT = Duration.ofSeconds(20);

    abstract Ledger ledger();

    @Test
    void anIdThatWasNeverSubmittedHasNoEntry() {
        assertThat(ledger().find(UUID.randomUUID()).blockOptional(TIMEOUT)).isEmpty();
    }

    @Test
    void theFirstSubmissionIsRecorded() {
        LedgerEntry first = LedgerEntry.cashout(Transactions.cashout(new Amount(1018)), NOW);

        assertThat(ledger().submit(first).block(TIMEOUT)).isEqualTo(first);
        assertThat(ledger().find(first.id()).block(TIMEOUT)).isEqualTo(first);
    }

    @Test
    void aLaterSubmissionOnlyCounts() {
        Transaction cashout = Transactions.cashout(new Amount(1000));
        LedgerEntry first = LedgerEntry.cashout(cashout, NOW);
        ledger().submit(first).block(TIMEOUT);
        LedgerEntry other = new LedgerEntry(
                first.id(),
                LedgerEntry.Kind.CASHOUT,
                cashout.id(),
                new Amount(1),
                LedgerEntry.State.REJECTED,
                1,
                NOW.plusSeconds(60),
                NOW.plusSeconds(60));

        LedgerEntry counted = new LedgerEntry(
                first.id(), first.kind(), cashout.id(), first.amount(), first.state(), 2, NOW, NOW.plusSeconds(60));
        assertThat(ledger().submit(other).block(TIMEOUT)).isEqualTo(counted);
        assertThat(ledger().find(first.id()).block(TIMEOUT)).isEqualTo(counted);
    }
}
