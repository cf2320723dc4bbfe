package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryTest {

    private static final Instant AT = Transactions.CREATED_AT;
    private static final Entry CREATED = Entry.StatusChanged.to(Status.PENDING, AT, Source.MERCHANT);

    /** Created, paid, refund requested, made in part, refund requested, failed. */
    private static final History PARTLY_REFUNDED =
            Transactions.partlyRefundedCashin().history();

    @Provide
    Arbitrary<List<Transaction>> lives() {
        return TransactionArbitraries.lives();
    }

    @Property(tries = 2000)
    void asOfASequenceIsTheHistoryRightAfterThatEntry(@ForAll("lives") List<Transaction> life) {
        History latest = last(life).history();
        for (Transaction then : life) {
            History history = then.history();
            Entry newest = history.entries().get(history.entries().size() - 1);
            Statistics.label("newest entry").collect(newest.getClass().getSimpleName());
            if (newest.announced()) {
                assertThat(latest.asOf(history.sequence())).isEqualTo(history);
                assertThat(history.lastAnnounced()).isEqualTo(newest);
            }
        }
        // every kind of entry occurs in the lives
        Statistics.label("newest entry").coverage(coverage -> {
            for (Class<?> kind : Entry.class.getPermittedSubclasses()) {
                coverage.check(kind.getSimpleName()).count(count -> count >= 5);
            }
        });
    }

    @Test
    void onlyTheLatestRefusalsAreKeptAndNothingElseIsDropped() {
        History history = PARTLY_REFUNDED;
        for (int i = 0; i < 60; i++) {
            history = history.with(List.of(new Entry.ChangeRefused(new UUID(0, i), "invalid_transition", AT)));
        }

        assertThat(history.entries().subList(0, PARTLY_REFUNDED.entries().size()))
                .isEqualTo(PARTLY_REFUNDED.entries());
        assertThat(history.entries().stream()
                        .filter(Entry.ChangeRefused.class::isInstance)
                        .map(Entry::changeId))
                .containsExactlyElementsOf(
                        IntStream.range(10, 60).mapToObj(i -> new UUID(0, i)).toList());
        assertThat(history.sequence()).isEqualTo(PARTLY_REFUNDED.sequence());
    }

    /** Without its refusal it would look open, and go to the rail again. */
    @Test
    void theRequestOfADefenceIsDroppedWithItsRefusal() {
        Entry requested =
                new Entry.DefenseRequested(new UUID(1, 2), "It was delivered", new ChangeRef(new UUID(0, 0), null), AT);
        History history = PARTLY_REFUNDED.with(List.of(requested));
        for (int i = 0; i < 60; i++) {
            history = history.with(List.of(new Entry.ChangeRefused(new UUID(0, i), "defense_rejected", AT)));
            assertThat(history.openDefenses()).isEmpty();
            assertThat(history.entries().contains(requested)).isEqualTo(i < History.REFUSALS_MAX);
        }
    }

    @Property
    void theStatusIsThatOfTheLastEntryWithOne(@ForAll("lives") List<Transaction> life) {
        History history = last(life).history();
        List<TransactionSnapshot.StatusAt> statuses = history.statuses();
        TransactionSnapshot.StatusAt newest = statuses.get(statuses.size() - 1);

        assertThat(history.status()).isEqualTo(newest.status());
        assertThat(history.statusSince()).isEqualTo(newest.at());
        assertThat(history.lastAt(history.status())).contains(newest.at());
    }

    @Test
    void anEntryWithoutAnEventTakesNoSequence() {
        Entry refused = new Entry.ChangeRefused(Transactions.ID.value(), "invalid_transition", AT);
        History history = new History(List.of(CREATED, refused, refused));

        assertThat(history.sequence()).isEqualTo(1);
        assertThat(history.lastAnnounced()).isEqualTo(CREATED);
        assertThat(history.asOf(1)).isEqualTo(new History(List.of(CREATED)));
        assertThat(history.previousStatus()).isNull();
    }

    @Test
    void anEntryAfterTheLastAnnouncedOneDoesNotChangeThePreviousStatus() {
        History paid = new History(List.of(
                CREATED,
                Entry.StatusChanged.to(Status.IN_ANALYSIS, AT, Source.RAIL),
                Entry.StatusChanged.to(Status.PAID, AT, Source.RAIL)));
        RefundId refund = RefundId.at(AT);
        History requested = paid.with(
                List.of(new Entry.RefundRequested(refund, new Amount(1), Source.MERCHANT, null, null, AT, null)));

        assertThat(paid.previousStatus()).isEqualTo(Status.IN_ANALYSIS);
        assertThat(requested.previousStatus()).isEqualTo(Status.IN_ANALYSIS);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 5, Integer.MAX_VALUE})
    void asOfRefusesASequenceOutsideTheHistory(int sequence) {
        assertThatThrownBy(() -> PARTLY_REFUNDED.asOf(sequence))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sequence: " + sequence + " (expected: 1 to 4)");
    }

    @Test
    void aRefundIsProcessingUntilItIsMadeOrHasFailed() {
        assertThat(PARTLY_REFUNDED.refunds())
                .extracting(Refund::id, Refund::state)
                .containsExactly(
                        tuple(Transactions.REFUND, Refund.State.REFUNDED),
                        tuple(Transactions.FAILED_REFUND, Refund.State.FAILED));

        assertThat(new History(PARTLY_REFUNDED.entries().subList(0, 3)).refunds())
                .containsExactly(new Refund(
                        Transactions.REFUND,
                        new Amount(5000),
                        Refund.State.PROCESSING,
                        Source.MERCHANT,
                        "return-1",
                        "Two shirts",
                        AT.plus(Duration.ofHours(2))));
        assertThat(PARTLY_REFUNDED.asOf(2).refunds()).isEmpty();
    }

    @Test
    void theLatestSettlementCounts() {
        Settlement first = new Settlement("E1", AT);
        Settlement second = new Settlement("E2", AT.plusSeconds(1));
        History history = new History(List.of(
                CREATED,
                new Entry.StatusChanged(Status.IN_ANALYSIS, AT, Source.RAIL, null, first, null),
                new Entry.StatusChanged(Status.PAID, AT, Source.RAIL, null, second, null),
                Entry.StatusChanged.to(Status.REFUND, AT, Source.RAIL)));

        assertThat(history.settlement()).contains(second);
        assertThat(history.asOf(2).settlement()).contains(first);
        assertThat(history.asOf(1).settlement()).isEmpty();
    }

    @Test
    void theRequestOfAnEntryIsFoundByItsIdAndKey() {
        ChangeRef change = new ChangeRef(Transactions.ID.value(), "key-1");

        assertThat(new Entry.StatusChanged(Status.CANCELED, AT, Source.MERCHANT, null, null, change))
                .extracting(Entry::changeId, Entry::idempotencyKey)
                .containsExactly(change.id(), "key-1");
        assertThat(new Entry.RefundRequested(
                        Transactions.REFUND, new Amount(1), Source.MERCHANT, null, null, AT, "key-2"))
                .extracting(Entry::changeId, Entry::idempotencyKey)
                .containsExactly(Transactions.REFUND.value(), "key-2");
        assertThat(new Entry.ChangeRefused(change.id(), "invalid_transition", AT))
                .extracting(Entry::changeId, Entry::idempotencyKey)
                .containsExactly(change.id(), null);
        assertThat(new Entry.RefundMade(Transactions.REFUND, true, AT))
                .extracting(Entry::changeId, Entry::idempotencyKey)
                .containsExactly(null, null);
    }

    @Test
    void theFirstEntryIsTheCreation() {
        Entry paid = Entry.StatusChanged.to(Status.PAID, AT, Source.RAIL);

        assertThatThrownBy(() -> new History(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("history: 0 entries (expected: first the creation)");
        assertThatThrownBy(() -> new History(List.of(paid)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("history: 1 entries (expected: first the creation)");
    }

    @Test
    void everyEntryTruncatesItsTimeToTheMillisecond() {
        Instant nanos = AT.plusNanos(999_999);
        assertThat(List.of(
                        Entry.StatusChanged.to(Status.PAID, nanos, Source.RAIL),
                        new Entry.RefundRequested(
                                Transactions.REFUND, new Amount(1), Source.MERCHANT, null, null, nanos, null),
                        new Entry.RefundMade(Transactions.REFUND, true, nanos),
                        new Entry.RefundFailed(Transactions.REFUND, "rejected_by_rail", nanos),
                        new Entry.ChangeRefused(Transactions.ID.value(), "invalid_transition", nanos)))
                .extracting(Entry::at)
                .containsOnly(AT);
    }

    private static <T> T last(List<T> list) {
        return list.get(list.size() - 1);
    }
}
