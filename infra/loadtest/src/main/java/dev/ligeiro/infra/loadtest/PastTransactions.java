package dev.ligeiro.infra.loadtest;

import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

/**
 * A merchant's accepted cashins of the 30 days before a sample: 80 of 100 are paid, 15 expired, 5 canceled. Transaction {@code n} is the
 * same at each call, but for its id's random bits.
 *
 * @param sample whose tenant, rail, platform and commission they have
 */
record PastTransactions(Transaction sample, long count) {

    private static final Duration SPAN = Duration.ofDays(30);
    private static final Duration EXPIRES_AFTER = Duration.ofHours(1);
    private static final Duration PAID_AFTER = Duration.ofSeconds(40);
    private static final int CENTS_MAX = 100_000;
    /** Numbers of payers beyond those of the calls. */
    private static final long FIRST_PAYER = 5_000_000_000L;

    /** @param number from 0, the oldest */
    Transaction get(long number) {
        SplittableRandom random = new SplittableRandom(number);
        Instant at = sample.createdAt().minus(SPAN).plusMillis((long)
                ((double) number / count * (SPAN.toMillis() - EXPIRES_AFTER.toMillis())));
        TransactionId id = TransactionId.at(at);
        Terms like = sample.terms();
        Terms terms = new Terms(
                new Amount(1 + random.nextInt(CENTS_MAX)),
                like.commission(),
                Customers.payer(FIRST_PAYER + number),
                "Pedido " + number + " da loja",
                like.platform(),
                "pedido-" + sample.tenant().key() + "-" + number,
                "Observação do pedido " + Long.toHexString(random.nextLong()),
                null,
                like.brCode(),
                null,
                EndToEndId.generate(like.endToEndId().substring(1, 9), id.createdAt(), random)
                        .value(),
                id.createdAt().plus(EXPIRES_AFTER),
                like.rail(),
                like.commissionReturns(),
                null,
                null,
                null);
        Transaction pending = Transaction.create(id, sample.tenant(), sample.operation(), terms, null, null)
                .accept();
        int percent = random.nextInt(100);
        if (percent < 80) {
            Instant paidAt = pending.createdAt().plus(PAID_AFTER);
            Settlement settlement = new Settlement(terms.endToEndId(), paidAt);
            return pending.with(new Entry.StatusChanged(Status.PAID, paidAt, Source.RAIL, null, settlement, null));
        }
        return percent < 95
                ? pending.moveTo(Status.EXPIRED, terms.expiresAt(), Source.SYSTEM)
                : pending.moveTo(Status.CANCELED, pending.createdAt().plus(PAID_AFTER), Source.MERCHANT);
    }
}
