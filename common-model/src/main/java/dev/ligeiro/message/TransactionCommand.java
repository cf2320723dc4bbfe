package dev.ligeiro.message;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What should happen to one transaction. Commands are idempotent, because each may arrive twice.
 *
 * <p>In JSON the field {@code type} names the command; unknown fields are ignored, an unknown type is an {@link InvalidMessage}.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TransactionCommand.Process.class, name = "transaction.process"),
    @JsonSubTypes.Type(value = TransactionCommand.Change.class, name = "transaction.change"),
    @JsonSubTypes.Type(value = TransactionCommand.DueCheck.class, name = "transaction.due_check"),
    @JsonSubTypes.Type(value = TransactionCommand.Announce.class, name = "transaction.announce"),
    @JsonSubTypes.Type(value = TransactionCommand.RailAnswer.class, name = "transaction.rail_answer"),
    @JsonSubTypes.Type(value = TransactionCommand.RailNotice.class, name = "transaction.rail_notice"),
    @JsonSubTypes.Type(value = TransactionCommand.DisputeReport.class, name = "transaction.dispute_report")
})
public sealed interface TransactionCommand {

    TransactionId transactionId();

    /** The transaction's tenant, by which MongoDB is sharded; null if the sender does not know it. */
    @Nullable
    Tenant tenant();

    /** The type in metrics; in JSON, it follows {@code transaction.} */
    default String code() {
        return Codes.of(getClass());
    }

    /**
     * Accepts a new transaction and submits it to its rail.
     *
     * @param transaction the whole transaction, so that the processor need not read it. After its creation only requests may have been
     *     refused: a command cannot bring a status of its own
     */
    record Process(Transaction transaction) implements TransactionCommand {

        public Process {
            boolean isNew = !transaction.accepted()
                    && transaction.railCalls().isEmpty()
                    && transaction.history().entries().stream().skip(1).allMatch(Entry.ChangeRefused.class::isInstance);
            if (!isNew) {
                throw new IllegalArgumentException(transaction + " (expected: a new transaction)");
            }
        }

        @Override
        public TransactionId transactionId() {
            return transaction.id();
        }

        @Override
        public Tenant tenant() {
            return transaction.tenant();
        }
    }

    /**
     * Makes the change that a merchant asks for.
     *
     * @param change identifies the request; the entry of the history that it causes carries it
     */
    record Change(Tenant tenant, TransactionId transactionId, ChangeRef change, ChangeAction action)
            implements TransactionCommand {}

    /**
     * Expires the transaction, or asks the rail for an unknown outcome, if its due time has come. Otherwise an earlier attempt has done
     * the work: nothing changes, and the events of the latest batch are sent again, because that attempt may have ended before it sent them.
     *
     * @param at the time up to which work is done. Work that became due later is left to the next check: a repeated check must find that
     *     its work is done
     */
    record DueCheck(Tenant tenant, TransactionId transactionId, Instant at) implements TransactionCommand {

        /** The time up to which calls are due, on a clock that shows {@code now} and may be behind that of the sender. */
        public Instant until(Instant now) {
            return at.isBefore(now) ? at : now;
        }
    }

    /**
     * Sends the events of the changes that were made at that time or later, again: Kafka has lost some. Changes nothing.
     */
    record Announce(Tenant tenant, TransactionId transactionId, Instant since) implements TransactionCommand {}

    /**
     * Applies the outcome of a rail call that was made outside of a batch.
     *
     * @param refund the refund that the call was for; null for the transaction itself
     * @param submission which submission was made or asked for, from 1
     * @param sequence the sequence number of the latest announced entry of the history when the call was made. The command that made the
     *     call sends the events up to it, so the answer sends only later ones
     * @param askedAt just before the call, on the clock of the processor that made it. The answer says nothing about later times, however
     *     long this command waits in Kafka
     * @param signature by the secret of the rail call, over all the rest; empty before {@link #signedWith}
     */
    record RailAnswer(
            Tenant tenant,
            TransactionId transactionId,
            @Nullable RefundId refund,
            RailCallKind call,
            int submission,
            int sequence,
            Instant askedAt,
            RailOutcome outcome,
            String signature)
            implements TransactionCommand {

        private static final String ALGORITHM = "HmacSHA256";

        public RailAnswer signedWith(UUID secret) {
            byte[] key = secret.toString().getBytes(StandardCharsets.US_ASCII);
            try {
                Mac mac = Mac.getInstance(ALGORITHM);
                mac.init(new SecretKeySpec(key, ALGORITHM));
                return with(Base64.getEncoder().encodeToString(mac.doFinal(MessageJson.write(with("")))));
            } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
                throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
            }
        }

        /** Whether this answer has the signature of {@code secret}; never if there is no secret. */
        public boolean isSignedWith(@Nullable UUID secret) {
            return secret != null
                    && MessageDigest.isEqual(
                            signedWith(secret).signature.getBytes(StandardCharsets.US_ASCII),
                            signature.getBytes(StandardCharsets.US_ASCII));
        }

        private RailAnswer with(String newSignature) {
            return new RailAnswer(
                    tenant, transactionId, refund, call, submission, sequence, askedAt, outcome, newSignature);
        }
    }

    /**
     * Looks into what a rail has reported by itself. The report is only a hint: the rail is asked, and only its answer has an effect.
     *
     * @param rail the rail's name
     * @param endToEndId the reported payment
     * @param amount the amount that the rail states; null of a mere hint, which is never recorded as an unmatched payment
     * @param returned how much of it was moved back, as the report says; null when it does not tell. A report that tells nothing new needs no
     *     question to the rail
     * @param payer who has paid, as the report says: information only, because a report is not to be trusted with money; null when not told
     * @param sentAt when it was sent to Kafka: it has caused no earlier change. Null before {@link #sentAt(Instant)}, and of an older version
     */
    record RailNotice(
            TransactionId transactionId,
            String rail,
            String endToEndId,
            @Nullable Amount amount,
            @Nullable Amount returned,
            @Nullable Payer payer,
            @Nullable Instant sentAt)
            implements TransactionCommand {

        public RailNotice(
                TransactionId transactionId,
                String rail,
                String endToEndId,
                @Nullable Amount amount,
                @Nullable Amount returned) {
            this(transactionId, rail, endToEndId, amount, returned, null, null);
        }

        /** A report that does not tell what was moved back. */
        public RailNotice(TransactionId transactionId, String rail, String endToEndId, @Nullable Amount amount) {
            this(transactionId, rail, endToEndId, amount, null);
        }

        public RailNotice sentAt(Instant now) {
            return new RailNotice(transactionId, rail, endToEndId, amount, returned, payer, now);
        }

        /** A mere hint: without the amount. */
        public RailNotice hint() {
            return new RailNotice(transactionId, rail, endToEndId, null, returned, payer, sentAt);
        }

        /** Null: a rail knows the transaction's id only. */
        @Override
        public @Nullable Tenant tenant() {
            return null;
        }
    }

    /**
     * Applies what the rail says about a dispute of the transaction. The command does not tell it: MongoDB has it, because a writer to Kafka
     * must not block money.
     */
    record DisputeReport(Tenant tenant, TransactionId transactionId, UUID dispute) implements TransactionCommand {}
}
