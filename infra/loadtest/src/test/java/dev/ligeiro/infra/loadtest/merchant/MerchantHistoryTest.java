package dev.ligeiro.infra.loadtest.merchant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MerchantHistoryTest {

    private static final int COUNT = 20_000;
    private static final Instant FROM = Instant.parse("2026-03-01T03:00:00Z");

    private final MerchantHistory history = new MerchantHistory(Transactions.goldenCashin(), FROM, 10, COUNT);
    private final List<Transaction> all =
            LongStream.range(0, COUNT).mapToObj(history::get).toList();

    @Test
    void theyAreAsMixedAsRealOnes() {
        assertThat(percent(transaction -> transaction.status() == Status.PAID)).isBetween(78L, 86L);
        assertThat(percent(transaction -> transaction.status() == Status.EXPIRED))
                .isBetween(8L, 12L);
        assertThat(percent(transaction -> transaction.operation() == Operation.CASHOUT))
                .isBetween(12L, 16L);
        assertThat(percent(transaction -> transaction
                        .terms()
                        .platform()
                        .equals(Transactions.goldenCashin().terms().platform())))
                .isBetween(48L, 52L);
        assertThat(all).extracting(Transaction::status).contains(Status.PENDING, Status.REFUND, Status.IN_ANALYSIS);
        assertThat(all).allMatch(Transaction::accepted);
    }

    @Test
    void commonNamesAreCommonAndMostAreRare() {
        for (String word : List.of("maria", "jose", "silva")) {
            assertThat(percent(transaction -> words(transaction).contains(word)))
                    .as(word)
                    .isBetween(4L, 16L);
        }
        assertThat(all.stream()
                        .flatMap(transaction -> words(transaction).stream())
                        .distinct())
                .hasSizeGreaterThan(1_000);
    }

    private static List<String> words(Transaction transaction) {
        return SearchTokens.words(transaction.terms().payer().name());
    }

    @Test
    void nothingIsDueDuringARun() {
        Instant end = FROM.plusSeconds(200L * 86_400);

        assertThat(all)
                .allMatch(transaction ->
                        transaction.dueAt() == null || transaction.dueAt().isAfter(end));
    }

    private long percent(Predicate<Transaction> wanted) {
        return 100 * all.stream().filter(wanted).count() / COUNT;
    }
}
