package dev.ligeiro.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.message.EventId;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class DeliveryIdTest {

    @Property
    void itsBytesAreReadBack(
            @ForAll long high,
            @ForAll long low,
            @ForAll long txHigh,
            @ForAll long txLow,
            @ForAll @IntRange(min = 1) int n) {
        DeliveryId id = new DeliveryId(new UUID(high, low), new EventId(new TransactionId(new UUID(txHigh, txLow)), n));
        assertThat(DeliveryId.of(id.bytes())).isEqualTo(id);
    }

    /** MongoDB orders binaries of one length by their unsigned bytes. */
    @Property
    void anEndpointsDeliveriesSortByTheTimeOfTheTransactionThenByTheChange(
            @ForAll @LongRange(min = 0, max = 4_000_000_000_000L) long one,
            @ForAll @LongRange(min = 0, max = 4_000_000_000_000L) long other) {
        UUID endpoint = UUID.randomUUID();
        TransactionId transaction = TransactionId.at(Instant.ofEpochMilli(one));
        byte[] first = new DeliveryId(endpoint, new EventId(transaction, 1)).bytes();
        byte[] second = new DeliveryId(endpoint, new EventId(transaction, 300)).bytes();
        byte[] elsewhere =
                new DeliveryId(endpoint, new EventId(TransactionId.at(Instant.ofEpochMilli(other)), 1)).bytes();
        assertThat(Arrays.compareUnsigned(first, second)).isNegative();
        if (one != other) {
            assertThat(Arrays.compareUnsigned(first, elsewhere) < 0).isEqualTo(one < other);
        }
    }

    @Test
    void otherBytesAreRefused() {
        assertThatThrownBy(() -> DeliveryId.of(new byte[35])).hasMessage("35 bytes (expected: 36)");
    }
}
