package dev.ligeiro.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionEventTest {

    @Provide
    Arbitrary<List<Transaction>> lives() {
        return TransactionArbitraries.lives();
    }

    @Property
    void isTheSameWhenItIsSentAgainLater(@ForAll("lives") List<Transaction> life) {
        Transaction latest = life.get(life.size() - 1);
        for (Transaction then : life) {
            TransactionEvent event = TransactionEvent.of(latest, then.version());

            assertThat(event).isEqualTo(TransactionEvent.of(then, then.version()));
            assertThat(event.id()).isEqualTo(new EventId(then.id(), then.version()));
            assertThat(event.eventType()).isEqualTo(EventType.of(then.status()));
            assertThat(event.at()).isEqualTo(then.lastEvent().at());
        }
    }

    @Property
    void hasThePreviousStatusExceptForTheCreation(@ForAll("lives") List<Transaction> life) {
        Transaction latest = life.get(life.size() - 1);

        assertThat(TransactionEvent.of(latest, 1)).isEqualTo(new TransactionEvent.Created(life.get(0)));
        for (int moves = 1; moves < life.size(); moves++) {
            assertThat(TransactionEvent.of(latest, moves + 1))
                    .isEqualTo(new TransactionEvent.StatusChanged(
                            life.get(moves), life.get(moves - 1).status()));
        }
    }

    @Test
    void aSequenceAboveTheVersionIsRefused() {
        assertThatThrownBy(() -> TransactionEvent.of(Transactions.goldenCashin(), 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sequence: 2 (expected: 1 to 1)");
    }

    @ParameterizedTest(name = "{0} is announced as {1}")
    @CsvSource({
        "PENDING, transaction.created",
        "PAID, transaction.paid",
        "DENIED, transaction.denied",
        "CANCELED, transaction.canceled",
        "REFUND, transaction.refund",
        "IN_PROCESS, transaction.in_process",
        "IN_ANALYSIS, transaction.in_analysis",
        "EXPIRED, transaction.expired",
    })
    void everyStatusHasItsEventType(Status status, String code) {
        EventType type = EventType.of(status);

        assertThat(type.code()).isEqualTo(code);
        assertThat(EventType.findByCode(code)).contains(type);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "paid", "transaction.PAID", "transaction.unheard_of"})
    void anUnknownCodeHasNoType(String code) {
        assertThat(EventType.findByCode(code)).isEqualTo(Optional.empty());
    }

    @Test
    void theDefaultSubscriptionIsEveryTypeButTheCreation() {
        Stream<EventType> changes = Arrays.stream(EventType.values()).filter(type -> type != EventType.CREATED);

        assertThat(EventType.STATUS_CHANGES).containsExactlyInAnyOrderElementsOf(changes.toList());
    }

    @Test
    void aDeadLetterTopicIsNamedAfterItsTopic() {
        assertThat(Topics.deadLetter(Topics.EVENTS)).isEqualTo("transaction-events-dlt");
    }
}
