package dev.ligeiro.gateway.api.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class SpanTest {

    private static final long YEAR_10000 = 253_402_311_600_000L;

    private static TransactionId at(long milli) {
        return TransactionId.at(Instant.ofEpochMilli(milli));
    }

    @Property
    void containsTheTransactionsThatWereCreatedInIt(
            @ForAll @LongRange(max = YEAR_10000) long from,
            @ForAll @LongRange(max = YEAR_10000) long before,
            @ForAll @LongRange(max = YEAR_10000) long created) {
        boolean isIn = from <= created && created < before;

        assertThat(Span.ofMillis(from, before).contains(at(created))).isEqualTo(isIn);
        assertThat(Span.ALL.fromMillis(from).beforeMillis(before).contains(at(created)))
                .isEqualTo(isIn);
        assertThat(Span.ofMillis(from, before).isEmpty()).isEqualTo(from >= before);
    }

    @Property
    void isCutBelowAnId(@ForAll @LongRange(min = 1, max = YEAR_10000) long milli) {
        TransactionId id = at(milli);
        Span below = Span.ALL.below(id);

        assertThat(below.contains(id)).isFalse();
        assertThat(below.contains(at(milli - 1))).isTrue();
        assertThat(below.contains(at(milli + 1))).isFalse();
        assertThat(Span.ofMillis(milli - 1, milli).below(id).contains(at(milli - 1)))
                .isTrue();
    }

    @Test
    void allContainsEveryId() {
        assertThat(Span.ALL.contains(at(0))).isTrue();
        assertThat(Span.ALL.contains(new TransactionId(new UUID(-1, -2)))).isTrue();
        assertThat(Span.ALL.isEmpty()).isFalse();
    }

    @Test
    void aTimeBefore1970IsTheStart() {
        assertThat(Span.ofMillis(-5, 1).contains(at(0))).isTrue();
    }
}
