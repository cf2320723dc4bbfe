package dev.ligeiro.desk.search;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.transaction.MaskedText;
import dev.ligeiro.desk.webhook.DeliveryJson;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A transaction as an operator may see it. Personal data is masked; the merchant's texts {@code description} and {@code extra}, which may
 * contain some, are left out.
 *
 * @param rail the rail, which has one account
 * @param accepted whether a processor has accepted it
 * @param dueAt when a processor looks at it again; null for never
 * @param unsettledSince since when the outcome of a rail call has been unknown
 * @param approvalSince since when it has been waiting for a person's approval
 * @param payer the one whom the merchant has named
 * @param paidBy the one who has paid, as the rail names them; null when it does not tell
 * @param payerMismatch whether that is another than the one who had to
 * @param reserved what it takes from the balance while the merchant's funds are checked; null without a reservation
 */
public record OperatorTransaction(
        UUID id,
        @JsonUnwrapped NamedMerchant merchant,
        Mode mode,
        Operation operation,
        Status status,
        Amount amount,
        Amount commission,
        Amount refundedAmount,
        String e2eId,
        @Nullable String reference,
        String rail,
        @Nullable String denialReason,
        Instant createdAt,
        Instant expiresAt,
        @Nullable Instant finishedAt,
        boolean accepted,
        @Nullable Instant dueAt,
        @Nullable Instant unsettledSince,
        @Nullable Instant approvalSince,
        @Nullable Amount reserved,
        Party payer,
        @Nullable Payer paidBy,
        boolean payerMismatch,
        @Nullable KeyJson pixKey,
        List<EntryJson> timeline,
        List<RefundJson> refunds,
        List<RailCallJson> railCalls,
        List<EndpointDelivery> deliveries) {

    static OperatorTransaction of(
            Transaction transaction,
            NamedMerchant merchant,
            @Nullable Amount reserved,
            Map<UUID, WebhookEndpoint> endpoints,
            List<StoredDelivery> deliveries) {
        PixKey key = transaction.terms().pixKey();
        return new OperatorTransaction(
                transaction.id().value(),
                merchant,
                transaction.tenant().mode(),
                transaction.operation(),
                transaction.status(),
                transaction.terms().amount(),
                transaction.terms().commission(),
                transaction.snapshot().refunds().refunded(),
                transaction.endToEndId(),
                transaction.terms().reference(),
                transaction.terms().rail(),
                transaction.history().denialReason(),
                transaction.createdAt(),
                transaction.terms().expiresAt(),
                transaction.finishedAt(),
                transaction.accepted(),
                transaction.dueAt(),
                transaction.unsettledSince(),
                transaction.approvalSince(),
                reserved,
                MaskedText.party(transaction.terms().payer()),
                transaction.history().payer().map(MaskedText::payer).orElse(null),
                transaction.history().hasPayerMismatch(),
                key == null ? null : new KeyJson(key.type().name(), MaskedText.key(key)),
                transaction.history().entries().stream().map(EntryJson::of).toList(),
                transaction.history().refunds().stream().map(RefundJson::of).toList(),
                transaction.railCalls().stream()
                        .map(call -> RailCallJson.of(transaction, call))
                        .toList(),
                deliveries.stream()
                        .map(delivery -> EndpointDelivery.of(
                                delivery, endpoints.get(delivery.id().endpointId())))
                        .toList());
    }

    /** The payer as far as the rail has told. */
    public String paidByText() {
        return paidBy == null
                ? ""
                : Stream.of(paidBy.name(), paidBy.taxId(), paidBy.ispb())
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining(" · "));
    }

    public record KeyJson(String type, String value) {}

    /**
     * An entry of the history, the oldest first.
     *
     * @param entry what happened, such as {@code status_changed}
     * @param reason a code
     * @param text what the person who approved or rejected a cashout gave as the reason
     * @param resolution the operators' decision that it follows from
     * @param by the API key that asked for it, and the console session that used the key; null for an operator
     */
    public record EntryJson(
            Instant at,
            String entry,
            @Nullable Status status,
            Source source,
            @Nullable String reason,
            @Nullable String text,
            @Nullable String e2eId,
            @Nullable Instant settledAt,
            @Nullable UUID refund,
            @Nullable Amount amount,
            @Nullable UUID resolution,
            @Nullable Requester by) {

        static EntryJson of(Entry entry) {
            Entry.StatusChanged changed = entry instanceof Entry.StatusChanged status ? status : null;
            Settlement settled = changed == null ? null : changed.settlement();
            return new EntryJson(
                    entry.at(),
                    entry.kind(),
                    entry.newStatus(),
                    entry.source(),
                    entry.reason(),
                    changed == null ? null : changed.description(),
                    settled == null ? null : settled.endToEndId(),
                    settled == null ? null : settled.at(),
                    entry.refund() == null ? null : entry.refund().value(),
                    entry.amount(),
                    entry.source() == Source.OPERATOR ? entry.changeId() : null,
                    entry.by());
        }
    }

    /**
     * @param reason why the system refunds, a code
     * @param nature why the rail has moved the money back, its own code
     * @param rtrId the rail's id of that movement
     */
    public record RefundJson(
            UUID id,
            Amount amount,
            Refund.State status,
            Source source,
            @Nullable String reference,
            Instant requestedAt,
            @Nullable String reason,
            @Nullable String nature,
            @Nullable String rtrId) {

        static RefundJson of(Refund refund) {
            return new RefundJson(
                    refund.id().value(),
                    refund.amount(),
                    refund.state(),
                    refund.source(),
                    refund.reference(),
                    refund.requestedAt(),
                    refund.reason(),
                    refund.rail() == null ? null : refund.rail().nature(),
                    refund.rail() == null ? null : refund.rail().rtrId());
        }
    }

    /**
     * A rail call without an outcome.
     *
     * @param refund the refund that the call is for; null for the transaction itself
     * @param railId the id that the rail knows: that of the transaction or refund, without hyphens
     * @param rejection why the rail has rejected it, until an inquiry confirms that
     * @param resolution what operators have decided, until the rail was asked once more
     */
    public record RailCallJson(
            @Nullable UUID refund,
            String railId,
            Instant since,
            int submissions,
            int inquiries,
            boolean acknowledged,
            @Nullable String rejection,
            boolean cancels,
            @Nullable Instant reportedAt,
            Instant dueAt,
            @Nullable UUID resolution) {

        static RailCallJson of(Transaction transaction, RailCall call) {
            UUID refund = call.refund() == null ? null : call.refund().value();
            UUID known = refund == null ? transaction.id().value() : refund;
            return new RailCallJson(
                    refund,
                    known.toString().replace("-", ""),
                    call.since(),
                    call.submissions(),
                    call.inquiries(),
                    call.acknowledged(),
                    call.rejection(),
                    call.cancel() != null,
                    call.reportedAt(),
                    call.dueAt(),
                    call.resolution() == null ? null : call.resolution().id());
        }
    }

    /** @param endpointStatus null if the endpoint was deleted meanwhile */
    public record EndpointDelivery(
            UUID endpoint, @Nullable String endpointStatus, @JsonUnwrapped DeliveryJson delivery) {

        static EndpointDelivery of(StoredDelivery delivery, @Nullable WebhookEndpoint endpoint) {
            return new EndpointDelivery(
                    delivery.id().endpointId(),
                    endpoint == null ? null : endpoint.status().isEnabled() ? "enabled" : "disabled",
                    DeliveryJson.of(delivery, delivery.nextAttemptAt()));
        }
    }
}
