package dev.ligeiro.store;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * A claim as its rail told it last. Processors write it, and apply it to the transaction; gateways list it, the desk shows it. It has no
 * personal data.
 *
 * @param endToEndId the disputed payment
 * @param tenant that of the transaction; null while no transaction can take the claim. It is then for the operators
 * @param transactionId null while no transaction is known
 * @param status null if the rail has only told statuses that Ligeiro does not know
 * @param railStatus the status in the word of the rail
 * @param openedAt the rail's time of the claim
 * @param defense names the text of the defence that the rail has, without containing it, see {@link #nameOf}; null without one
 * @param refusal the rail's answer to a defence that it does not take; null otherwise
 * @param reportAt when a processor sends the transaction the next report, unless its history has all of this already; null once it has
 */
public record StoredDispute(
        UUID id,
        String rail,
        String railId,
        @Nullable String protocol,
        String endToEndId,
        @Nullable Tenant tenant,
        @Nullable TransactionId transactionId,
        Amount amount,
        String reason,
        @Nullable String situation,
        Dispute.@Nullable Status status,
        String railStatus,
        Instant openedAt,
        @Nullable Instant deadline,
        @Nullable UUID defense,
        @Nullable Refusal refusal,
        @Nullable Instant reportAt) {

    public static final String ID = "_id";
    public static final String RAIL = "rail";
    public static final String TENANT = "tenant";
    public static final String TRANSACTION_ID = "transactionId";
    public static final String STATUS = "status";
    public static final String OPENED_AT = "openedAt";
    public static final String DEADLINE = "deadline";
    public static final String REPORT_AT = "reportAt";
    /** Since when no transaction can take a claim that the rail has not decided; absent for all others. */
    public static final String UNMATCHED_SINCE = "unmatchedSince";

    private static final String RAIL_ID = "railId";
    private static final String PROTOCOL = "protocol";
    private static final String END_TO_END_ID = "endToEndId";
    private static final String AMOUNT = "amount";
    private static final String REASON = "reason";
    private static final String SITUATION = "situation";
    private static final String RAIL_STATUS = "railStatus";
    private static final String DEFENSE = "defense";
    private static final String REFUSED = "refused";
    private static final String REFUSAL = "refusal";

    /** @param change the request of the defence */
    public record Refusal(UUID change, ChangeRefusal code) {}

    /** The name of a defence's text. White space does not count, because a rail may change it. */
    public static UUID nameOf(String text) {
        return UUID.nameUUIDFromBytes(text.strip().replaceAll("\\s+", " ").getBytes(StandardCharsets.UTF_8));
    }

    public boolean isFinal() {
        return status != null && status.isFinal();
    }

    /** The dispute that the merchant is shown; only with a known status. */
    public Dispute dispute() {
        return new Dispute(
                id,
                amount,
                StoredValues.required(STATUS, status),
                reason,
                situation,
                deadline,
                openedAt,
                railId,
                protocol);
    }

    /** @param owner null if the transaction cannot take the claim */
    public StoredDispute of(@Nullable Tenant owner, TransactionId transaction) {
        return with(owner, transaction, status, defense, refusal, reportAt);
    }

    /** The rail has said that it has taken the defence of this name. */
    public StoredDispute defended(UUID taken) {
        return with(tenant, transactionId, Dispute.Status.DEFENDED, taken, refusal, reportAt);
    }

    public StoredDispute withRefusal(Refusal refused) {
        return with(tenant, transactionId, status, defense, refused, reportAt);
    }

    public StoredDispute withReportAt(Instant at) {
        return with(tenant, transactionId, status, defense, refusal, at);
    }

    private StoredDispute with(
            @Nullable Tenant newTenant,
            @Nullable TransactionId newTransaction,
            Dispute.@Nullable Status newStatus,
            @Nullable UUID newDefense,
            @Nullable Refusal newRefusal,
            @Nullable Instant newReportAt) {
        return new StoredDispute(
                id,
                rail,
                railId,
                protocol,
                endToEndId,
                newTenant,
                newTransaction,
                amount,
                reason,
                situation,
                newStatus,
                railStatus,
                openedAt,
                deadline,
                newDefense,
                newRefusal,
                newReportAt);
    }

    /** Fields that are null are left out: partial indexes are over those that exist. */
    public Document document() {
        Document document = new Document(ID, id)
                .append(RAIL, rail)
                .append(RAIL_ID, railId)
                .append(END_TO_END_ID, endToEndId)
                .append(AMOUNT, amount.cents())
                .append(REASON, reason)
                .append(RAIL_STATUS, railStatus)
                .append(OPENED_AT, Date.from(openedAt));
        append(document, PROTOCOL, protocol);
        append(document, TENANT, tenant == null ? null : tenant.key());
        append(document, TRANSACTION_ID, transactionId == null ? null : transactionId.value());
        append(document, SITUATION, situation);
        append(document, STATUS, status == null ? null : status.code());
        append(document, DEADLINE, date(deadline));
        append(document, DEFENSE, defense);
        if (refusal != null) {
            document.append(REFUSED, refusal.change())
                    .append(REFUSAL, refusal.code().code());
        }
        append(document, REPORT_AT, date(reportAt));
        boolean isUnmatched = (tenant == null || status == null) && !isFinal();
        append(document, UNMATCHED_SINCE, isUnmatched ? date(openedAt) : null);
        return document;
    }

    public static StoredDispute read(Document document) {
        Long tenant = document.getLong(TENANT);
        UUID transaction = document.get(TRANSACTION_ID, UUID.class);
        String status = document.getString(STATUS);
        UUID refused = document.get(REFUSED, UUID.class);
        return new StoredDispute(
                document.get(ID, UUID.class),
                document.getString(RAIL),
                document.getString(RAIL_ID),
                document.getString(PROTOCOL),
                document.getString(END_TO_END_ID),
                tenant == null ? null : new Tenant(tenant),
                transaction == null ? null : new TransactionId(transaction),
                new Amount(document.getLong(AMOUNT)),
                document.getString(REASON),
                document.getString(SITUATION),
                status == null ? null : Codes.get(Dispute.Status.class, status),
                document.getString(RAIL_STATUS),
                document.getDate(OPENED_AT).toInstant(),
                instant(document, DEADLINE),
                document.get(DEFENSE, UUID.class),
                refused == null
                        ? null
                        : new Refusal(refused, Codes.get(ChangeRefusal.class, document.getString(REFUSAL))),
                instant(document, REPORT_AT));
    }

    private static void append(Document document, String field, @Nullable Object value) {
        if (value != null) {
            document.append(field, value);
        }
    }

    private static @Nullable Date date(@Nullable Instant at) {
        return at == null ? null : Date.from(at);
    }

    private static @Nullable Instant instant(Document document, String field) {
        Date date = document.getDate(field);
        return date == null ? null : date.toInstant();
    }
}
