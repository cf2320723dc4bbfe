package dev.ligeiro.desk.money;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.ligeiro.desk.money.OpenDecisions.Choice;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Amount;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Money that a rail reported and no transaction can take.
 *
 * @param transactionId the transaction that the rail named, which may not exist
 * @param amount null when the rail reported none
 * @param returned what the rail has moved back of it by itself
 * @param resolution the operators' decision about it; null while it is open
 */
public record UnmatchedPayment(
        String id,
        String rail,
        String endToEndId,
        UUID transactionId,
        @Nullable Amount amount,
        Amount returned,
        String reason,
        Instant at,
        long ageSeconds,
        @Nullable UUID resolution) {

    /** Reasons of money that has moved back to the payer of a cashin. */
    private static final Set<String> BACK = Set.of("returned_too_much", "refunded_after_failure");

    static UnmatchedPayment of(BsonDocument document, Instant now) {
        Instant at = StoredValues.instant(document, UnmatchedPaymentFields.AT);
        return new UnmatchedPayment(
                StoredValues.text(document, UnmatchedPaymentFields.ID),
                StoredValues.text(document, UnmatchedPaymentFields.RAIL),
                StoredValues.text(document, UnmatchedPaymentFields.END_TO_END_ID),
                StoredValues.uuid(document, UnmatchedPaymentFields.TRANSACTION_ID),
                document.containsKey(UnmatchedPaymentFields.AMOUNT) ? amount(document) : null,
                new Amount(document.getArray(UnmatchedPaymentFields.RETURNED, new BsonArray()).stream()
                        .mapToLong(one -> amount(one.asDocument()).cents())
                        .sum()),
                StoredValues.text(document, UnmatchedPaymentFields.REASON),
                at,
                Duration.between(at, now).toSeconds(),
                document.containsKey(UnmatchedPaymentFields.RESOLVED)
                        ? StoredValues.uuid(
                                document.getDocument(UnmatchedPaymentFields.RESOLVED),
                                UnmatchedPaymentFields.RESOLUTION)
                        : null);
    }

    private static Amount amount(BsonDocument document) {
        return new Amount(document.getInt64(UnmatchedPaymentFields.AMOUNT).getValue());
    }

    /** Whether it has moved back to the payer of a cashin, so that it left the account. */
    @JsonIgnore
    public boolean isBack() {
        return BACK.contains(reason);
    }

    boolean hasAmount() {
        return amount != null && amount.cents() > 0;
    }

    boolean isSimulated() {
        return rail.equals(RailProperties.SIMULATOR);
    }

    /** What can be decided about it if the transaction that the rail named is not stored. */
    public List<Choice> choicesWithoutTransaction() {
        return OpenDecisions.choices(this, null);
    }
}
