package dev.ligeiro.gateway.api.create;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.TransactionId;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NewTransactionTest {

    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final Caller.Receiver RECEIVER = new Caller.Receiver("Padaria São João Ltda, a melhor", "Ribeirão");

    @Property(tries = 500)
    void theCodeHasReceiverAmountAndTxid(
            @ForAll @LongRange(min = 0, max = 253_402_300_799_999L) long createdAt,
            @ForAll @LongRange(min = 1, max = 999_999_999_999L) long cents) {
        TransactionId id = TransactionId.at(Instant.ofEpochMilli(createdAt));

        Amount amount = new Amount(cents);
        String decimal = amount.toString();

        assertThat(NewTransaction.simulatorCode(id, amount, RECEIVER))
                .contains("54%02d".formatted(decimal.length()) + decimal
                        + "5802BR5924Padaria Sao Joao Ltda, a6008Ribeirao62290525" + NewTransaction.txid(id.value()));
    }

    @ParameterizedTest
    @CsvSource({"15, PT0S", "1015, PT0S", "1500, PT24H", "1016, PT24H"})
    void aChargeOf15CentsExpiresAtOnce(long cents, Duration validity) {
        assertThat(NewTransaction.simulatorValidity(new Amount(cents), Duration.ofHours(24)))
                .isEqualTo(validity);
    }

    /** Different ids therefore have different txids. */
    @Property(tries = 1_000)
    void theIdCanBeReadBackFromTheTxid(@ForAll long high, @ForAll long low) {
        UUID id = version7(high, low);

        assertThat(idOf(NewTransaction.txid(id))).isEqualTo(id);
    }

    private static UUID version7(long high, long low) {
        return new UUID(high & ~0xF000L | 0x7000L, low & ~(3L << 62) | 2L << 62);
    }

    /** Decodes base 32: 48 bits of time, then 12 and 62 random bits. */
    private static UUID idOf(String txid) {
        BigInteger number = BigInteger.ZERO;
        for (char digit : txid.toCharArray()) {
            number = number.shiftLeft(5).add(BigInteger.valueOf(DIGITS.indexOf(digit)));
        }
        long high = number.shiftRight(62).longValue();
        return version7(high >>> 12 << 16 | high & 0xFFFL, number.longValue());
    }
}
