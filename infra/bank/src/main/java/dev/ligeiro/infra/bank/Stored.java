package dev.ligeiro.infra.bank;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the journal keeps. An object with the id of an earlier one replaces it, except ledger entries and injected faults. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Stored.Location.class, name = "location"),
    @JsonSubTypes.Type(value = Stored.Charge.class, name = "charge"),
    @JsonSubTypes.Type(value = Stored.Payment.class, name = "payment"),
    @JsonSubTypes.Type(value = Stored.Repayment.class, name = "refund"),
    @JsonSubTypes.Type(value = Stored.Claim.class, name = "claim"),
    @JsonSubTypes.Type(value = Stored.Send.class, name = "send"),
    @JsonSubTypes.Type(value = Stored.Webhook.class, name = "webhook"),
    @JsonSubTypes.Type(value = Stored.Moved.class, name = "moved"),
    @JsonSubTypes.Type(value = Stored.FaultPlan.class, name = "faults"),
    @JsonSubTypes.Type(value = Stored.Injected.class, name = "injected")
})
@JsonInclude(JsonInclude.Include.NON_NULL)
sealed interface Stored {

    /**
     * The address of a charge's payment data, which is in the QR code.
     *
     * @param txid the charge that it was last given to
     */
    record Location(long id, String url, Instant createdAt, @Nullable String txid) implements Stored {

        Location withTxid(@Nullable String value) {
            return new Location(id, url, createdAt, value);
        }
    }

    /**
     * A charge for immediate payment, {@code cob}.
     *
     * @param revision counts the customer's changes
     */
    record Charge(String txid, Instant createdAt, int revision, String status, Terms terms, @Nullable Long locationId)
            implements Stored {

        static final String ACTIVE = "ATIVA";
        static final String PAID = "CONCLUIDA";
        static final String REMOVED = "REMOVIDA_PELO_USUARIO_RECEBEDOR";
        static final String REMOVED_BY_BANK = "REMOVIDA_PELO_PSP";

        boolean isActive() {
            return status.equals(ACTIVE);
        }

        boolean isExpired(Instant now) {
            return now.isAfter(createdAt.plusSeconds(terms.expirySeconds()));
        }

        Charge withStatus(String value) {
            return new Charge(txid, createdAt, revision, value, terms, locationId);
        }

        Charge nextRevision(String newStatus, Terms newTerms) {
            return new Charge(txid, createdAt, revision + 1, newStatus, newTerms, locationId);
        }
    }

    /** What the customer says about a charge. */
    record Terms(int expirySeconds, long cents) {}

    /** A Pix that was received. */
    record Payment(
            String e2eId,
            @Nullable String txid,
            long cents,
            String key,
            Instant at,
            @Nullable String payerName,
            @Nullable String payerDocument,
            @Nullable String message)
            implements Stored {}

    /** A refund of a received Pix, {@code devolucao}. */
    record Repayment(
            String e2eId,
            String id,
            String rtrId,
            long cents,
            String nature,
            @Nullable String description,
            Instant requestedAt,
            @Nullable Instant settledAt,
            String status,
            @Nullable String reason)
            implements Stored {

        static final String PROCESSING = "EM_PROCESSAMENTO";
        static final String REFUNDED = "DEVOLVIDO";
        static final String FAILED = "NAO_REALIZADO";

        Repayment settled(String newStatus, Instant at, @Nullable String newReason) {
            return new Repayment(e2eId, id, rtrId, cents, nature, description, requestedAt, at, newStatus, newReason);
        }
    }

    /** A payer's claim on a received Pix under MED, {@code infracao}. */
    record Claim(
            String id,
            String protocol,
            String e2eId,
            long cents,
            String status,
            String reason,
            String situation,
            Instant openedAt,
            Instant deadline,
            @Nullable String defense,
            @Nullable Instant defendedAt,
            @Nullable Instant closedAt)
            implements Stored {

        static final String OPEN = "ABERTA";
        static final String DEFENDED = "EM_DEFESA";
        static final String ACCEPTED = "ACEITA";
        static final String REJECTED = "REJEITADA";
        static final String CANCELED = "CANCELADA_EFI";

        boolean isDecided() {
            return closedAt != null;
        }

        Claim defended(String text, Instant at) {
            return new Claim(
                    id, protocol, e2eId, cents, DEFENDED, reason, situation, openedAt, deadline, text, at, null);
        }

        Claim decided(String newStatus, Instant at) {
            return new Claim(
                    id,
                    protocol,
                    e2eId,
                    cents,
                    newStatus,
                    reason,
                    situation,
                    openedAt,
                    deadline,
                    defense,
                    defendedAt,
                    at);
        }
    }

    /**
     * A Pix that the customer sends.
     *
     * @param waits whether a person at the bank has to release it
     */
    record Send(
            String id,
            String e2eId,
            long cents,
            String payerKey,
            @Nullable String message,
            String receiverKey,
            Instant requestedAt,
            @Nullable Instant settledAt,
            String status,
            boolean waits,
            @Nullable String failure)
            implements Stored {

        static final String PROCESSING = "EM_PROCESSAMENTO";
        static final String SENT = "REALIZADO";
        static final String FAILED = "NAO_REALIZADO";

        Send settled(String newStatus, Instant at, @Nullable String newFailure) {
            return new Send(
                    id, e2eId, cents, payerKey, message, receiverKey, requestedAt, at, newStatus, false, newFailure);
        }
    }

    /** @param url null after it was deleted */
    record Webhook(String key, @Nullable String url, Instant createdAt) implements Stored {}

    /**
     * Money that moved, once per direction and id.
     *
     * @param direction {@code in}, {@code out} or {@code refund}
     * @param id the txid (empty for a Pix without one), the {@code idEnvio} or the refund's id
     */
    record Moved(String direction, String id, String e2eId, long cents, Instant at) implements Stored {}

    /** @param operations the only ones that meet faults; null for all */
    record FaultPlan(long seed, double rate, List<Faults.Kind> kinds, @Nullable List<String> operations)
            implements Stored {

        boolean isOf(String operation) {
            return operations == null || operations.contains(operation);
        }
    }

    /**
     * @param operation the call, or {@code notice} or {@code pay}
     * @param id the id in the path of the call, or the end-to-end id of the notice or payment
     */
    record Injected(Faults.Kind fault, String operation, String id, Instant at) implements Stored {}
}
