package dev.ligeiro.infra.loadtest.merchant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.pix.BrCode;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PastTransactionsTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:00Z");

    private final PastTransactions past = new PastTransactions(Transactions.goldenCashin(), 1_000, NOW);

    @Test
    void theyLieInThePastInTheOrderOfTheirIndexes() {
        Transaction first = past.get(0);
        Transaction last = past.get(999);

        assertThat(first.createdAt()).isEqualTo(NOW.minus(Duration.ofHours(30 * 24 + 1)));
        assertThat(last.createdAt()).isBefore(NOW.minus(Duration.ofHours(1)));
        assertThat(past.get(500).id()).isGreaterThan(first.id()).isLessThan(last.id());
    }

    @Test
    void fourOfFiveArePaidAndAllAreAccepted() {
        long paid = LongStream.range(0, 1_000)
                .mapToObj(past::get)
                .filter(transaction -> transaction.status() == Status.PAID)
                .count();

        assertThat(paid).isEqualTo(800);
        assertThat(past.get(0).accepted()).isTrue();
        assertThat(past.get(1).accepted()).isTrue();
    }

    @Test
    void eachHasACodeOfItsOwn() {
        Transaction transaction = past.get(7);

        BrCode code = BrCode.decode(String.valueOf(transaction.terms().brCode()));

        assertThat(code.amountCents()).hasValue(transaction.terms().amount().cents());
        assertThat(transaction.id().toString().replace("-", "")).startsWith(code.txid());
    }
}
