package dev.ligeiro.infra.loadtest.generate;

import dev.ligeiro.infra.loadtest.ledger.Naming;
import dev.ligeiro.pix.BrCode;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Transactions as a merchant would have left them behind over the last days: four of five cashins paid, in the order of their
 * creation, of customers like those of the calls.
 */
public final class PastTransactions {

    private static final Duration SPAN = Duration.ofDays(30);
    private static final Duration UNTIL_AGO = Duration.ofHours(1);
    private static final Duration PAID_AFTER = Duration.ofSeconds(42);
    private static final int PAID_OF = 5;
    private static final int TXID_LENGTH = 25;
    private static final int CENTS_MAX = 100_000;

    private final Transaction sample;
    private final BrCode sampleCode;
    private final Instant from;
    private final long count;

    /** @param sample one of the merchant's transactions, for what all of them share */
    public PastTransactions(Transaction sample, long count, Instant now) {
        this.sample = sample;
        this.sampleCode = BrCode.decode(Objects.requireNonNull(sample.brCode()));
        this.from = now.minus(UNTIL_AGO).minus(SPAN);
        this.count = count;
    }

    /** @param index from 0, the oldest */
    public Transaction get(long index) {
        Instant createdAt = from.plusMillis((long) ((double) SPAN.toMillis() / count * index));
        TransactionId id = TransactionId.at(createdAt);
        Amount amount = new Amount(1 + Long.remainderUnsigned(Naming.mix(index), CENTS_MAX));
        Transaction pending = new Transaction(
                id,
                sample.tenant(),
                sample.operation(),
                Status.PENDING,
                1,
                true,
                amount,
                sample.commission(),
                payer(index),
                "Pedido antigo " + index,
                sample.platform(),
                "past-%010d".formatted(index),
                "Observação antiga %016x".formatted(Naming.mix(index)),
                sample.endToEndId(),
                null,
                code(id, amount),
                List.of(new StatusEvent(1, Status.PENDING, id.createdAt(), StatusEvent.Source.MERCHANT, null)));
        return index % PAID_OF == 0
                ? pending
                : pending.moveTo(Status.PAID, createdAt.plus(PAID_AFTER), StatusEvent.Source.RAIL, null);
    }

    private static Party payer(long index) {
        long customer = Customers.of(-index);
        return new Party(
                text(Customers.firstName(customer)) + " " + text(Customers.middleName(customer)) + " "
                        + text(Customers.lastName(customer)),
                "cliente%010d@example.com".formatted(index),
                "+55119%08d".formatted(Customers.phone(customer)),
                "%011d".formatted(Customers.cpf(customer)));
    }

    private String code(TransactionId id, Amount amount) {
        String txid = id.toString().replace("-", "").substring(0, TXID_LENGTH);
        return sampleCode.withTxid(txid).withAmountCents(amount.cents()).encode();
    }

    private static String text(byte[] ascii) {
        return new String(ascii, StandardCharsets.US_ASCII);
    }
}
