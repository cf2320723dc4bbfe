package dev.ligeiro.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.TransactionId;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Positive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventIdTest {

    @Provide
    Arbitrary<TransactionId> ids() {
        return TransactionArbitraries.ids();
    }

    @Property
    void anIdRoundTripsThroughItsText(@ForAll("ids") TransactionId transactionId, @ForAll @Positive int sequence) {
        EventId id = new EventId(transactionId, sequence);

        assertThat(EventId.parse(id.toString())).isEqualTo(id);
    }

    /** Standard Webhooks signs {@code id.timestamp.body}: a dot in the id would make that ambiguous. */
    @Property
    void holdsNoDot(@ForAll("ids") TransactionId transactionId, @ForAll @Positive int sequence) {
        assertThat(new EventId(transactionId, sequence).toString()).matches("evt_[0-9a-f]{32}_[0-9]+");
    }

    @Test
    void consistsOfTransactionIdAndSequence() {
        assertThat(new EventId(Transactions.ID, 2)).hasToString("evt_019cd827d5537abc9def0123456789ab_2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "_", "_0", "_-1", "_+1", "_01", "_99999999999", "_1 ", "-1"})
    void anotherSequenceIsRefused(String sequence) {
        assertRefused("evt_019cd827d5537abc9def0123456789ab" + sequence);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "evt_",
                "msg_019cd827d5537abc9def0123456789ab",
                "evt_019CD827D5537ABC9DEF0123456789AB",
                "evt_+19cd827d5537abc9def0123456789ab",
                "evt_019cd827d5537abc9def0123456789ag",
                "evt_019cd827-d553-7abc-9def-0123456789ab"
            })
    void anotherTransactionIsRefused(String start) {
        assertRefused(start + "_1");
    }

    private static void assertRefused(String text) {
        assertThatThrownBy(() -> EventId.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(text + " (expected: evt_, 32 hex digits, _ and a number)");
    }

    @Test
    void aSequenceAboveTheLargestIntIsRefused() {
        assertThatThrownBy(() -> EventId.parse("evt_019cd827d5537abc9def0123456789ab_2147483648"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2147483648");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void sequencesStartAtOne(int sequence) {
        assertThatThrownBy(() -> new EventId(Transactions.ID, sequence))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sequence: " + sequence + " (expected: >= 1)");
    }
}
