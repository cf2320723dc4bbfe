package dev.ligeiro.infra.loadtest.merchant;

import dev.ligeiro.pix.BrCode;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Cashins of the last 30 days for {@code --stored}: four of five are paid, each has a customer like those of the calls, and their ids
 * are in the order of their creation.
 */
public final class PastTransactions {

    private static final Duration SPAN = Duration.ofDays(30);
    private static final Duration UNTIL_AGO = Duration.ofHours(1);
    private static final Duration PAID_AFTER = Duration.ofSeconds(42);
    /** Longer than any load test: those that are not paid stay pending. */
    private static final Duration EXPIRES_AFTER = Duration.ofDays(365);

    private static final int PAID_OF = 5;
    private static final int TXID_LENGTH = 25;
    private static final int CENTS_MAX = 100_000;
    /** No call has so high a number: past customers differ from the calls' customers. */
    private static final long FIRST_CUSTOMER = 5_000_000_000L;

    private final Transaction sample;
    private final BrCode sampleCode;
    private final Instant from;
    private final long count;

    /** @param sample a cashin of the merchant; the past transactions have its tenant, platform and commission */
    public PastTransactions(Transaction sample, long count, Instant now) {
        this.sample = sample;
        this.sampleCode = BrCode.decode(Objects.requireNonNull(sample.terms().brCode()));
        this.from = now.minus(UNTIL_AGO).minus(SPAN);
        this.count = count;
    }

    /** @param index from 0, the oldest */
    public Transaction get(long index) {
        Instant createdAt = from.plusMillis((long) ((double) SPAN.toMillis() / count * index));
        TransactionId id = TransactionId.at(createdAt);
        long random = CallIdentifiers.scramble(index);
        Amount amount = new Amount(1 + Long.remainderUnsigned(random, CENTS_MAX));
        String txid = id.toString().replace("-", "").substring(0, TXID_LENGTH);
        Terms terms = new Terms(
                amount,
                sample.terms().commission(),
                Customers.payer(FIRST_CUSTOMER + index),
                "Pedido antigo " + index,
                sample.terms().platform(),
                "past-%010d".formatted(index),
                "Observação antiga %016x".formatted(random),
                null,
                sampleCode.withTxid(txid).withAmountCents(amount.cents()).encode(),
                sample.terms().endToEndId(),
                createdAt.plus(EXPIRES_AFTER),
                sample.terms().rail());
        Transaction pending = Transaction.create(id, sample.tenant(), sample.operation(), terms, null)
                .accept();
        return index % PAID_OF == 0 ? pending : pending.moveTo(Status.PAID, createdAt.plus(PAID_AFTER), Source.RAIL);
    }
}
