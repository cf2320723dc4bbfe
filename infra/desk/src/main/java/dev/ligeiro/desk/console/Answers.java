package dev.ligeiro.desk.console;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the pages read of the API's answers. The description of the API explains the members. */
public final class Answers {

    private Answers() {}

    public record SessionList(List<Session> consoleSessions) {}

    public record Session(
            UUID id, List<String> scopes, String status, @Nullable Instant lastUsedAt, Instant expiresAt) {}

    public record KeyList(List<Key> keys) {}

    public record Key(
            String name,
            String prefix,
            List<String> scopes,
            String status,
            boolean isYours,
            @Nullable Instant lastUsedAt,
            @Nullable Instant expiresAt) {}

    public record PlatformList(List<Platform> platforms) {}

    public record Platform(String id, String name) {}

    public record TransactionList(
            List<Transaction> transactions, long currentPage, long lastPage, @Nullable String nextPageUrl, long total) {

        static final TransactionList NONE = new TransactionList(List.of(), 1, 1, null, 0);

        /** The query of the next page; null on the last one. */
        public @Nullable String next() {
            return nextPageUrl == null ? null : URI.create(nextPageUrl).getRawQuery();
        }
    }

    public record OneTransaction(List<Transaction> transaction) {

        Transaction one() {
            return transaction.get(0);
        }
    }

    public record Transaction(
            UUID id,
            String amount,
            String commission,
            Instant dateCreated,
            String description,
            String document,
            String email,
            String name,
            String phone,
            String platform,
            String operation,
            String status,
            @Nullable String denialReason,
            String reference,
            String extra,
            String e2eId,
            @Nullable Instant finished,
            @Nullable Instant expiresAt,
            @Nullable String paymentLink,
            @Nullable String qrCodeImage,
            @Nullable String pixKey,
            @Nullable String refundedAmount,
            @Nullable String txid,
            @Nullable Map<String, String> fiscal,
            @Nullable Payer payer,
            @Nullable Boolean payerMismatch) {

        /** Whether another than the one who had to has paid. */
        public boolean isByAnother() {
            return Boolean.TRUE.equals(payerMismatch);
        }

        /** The pairs that link it to a tax document; {@code ""} without any. */
        public String fiscalText() {
            return fiscal == null
                    ? ""
                    : fiscal.entrySet().stream()
                            .map(pair -> pair.getKey() + ": " + pair.getValue())
                            .collect(Collectors.joining(" · "));
        }

        public boolean isCashin() {
            return operation.equals("cashin");
        }

        /** Whether it was paid, also if the money has gone back since. */
        public boolean wasPaid() {
            return status.equals("paid") || status.equals("refund");
        }

        /** What can still be refunded. */
        public BigDecimal left() {
            return new BigDecimal(amount)
                    .subtract(refundedAmount == null ? BigDecimal.ZERO : new BigDecimal(refundedAmount));
        }
    }

    /** Who has paid. */
    public record Payer(String name, String document) {

        public String text() {
            return Stream.of(name, document).filter(part -> !part.isEmpty()).collect(Collectors.joining(" · "));
        }
    }

    public record RefundList(List<Refund> refunds) {}

    public record Refund(String amount, String status, String origin, String refundReference, Instant dateCreated) {}

    public record History(List<Entry> history) {

        /** When the transaction got this status first; null if it never had it. */
        public @Nullable Instant first(String status) {
            return history.stream()
                    .filter(entry -> entry.type.equals("status_changed") && entry.status.equals(status))
                    .map(Entry::dateCreated)
                    .min(Instant::compareTo)
                    .orElse(null);
        }
    }

    public record Entry(
            Instant dateCreated, String type, String status, String source, String reason, String description) {}

    public record DisputeList(List<Dispute> disputes, @Nullable String nextCursor) {

        static final DisputeList NONE = new DisputeList(List.of(), null);
    }

    /** @param deadline null if the bank does not say */
    public record Dispute(
            UUID id,
            String status,
            String amount,
            String reason,
            String situation,
            String protocol,
            @Nullable Instant deadline,
            Instant dateCreated,
            UUID transactionId) {

        public boolean isOpen() {
            return status.equals("open");
        }

        /** Whether the bank takes a defence at this time, as far as it has told. */
        boolean isDefendable(Instant now) {
            return isOpen() && (deadline == null || now.isBefore(deadline));
        }
    }

    public record EndpointList(List<Endpoint> webhooks) {}

    /** @param secret null unless it was just made */
    public record Endpoint(
            UUID id,
            String url,
            List<String> events,
            String description,
            String status,
            String disabledReason,
            @Nullable Instant disabledSince,
            @Nullable Instant failingSince,
            @Nullable Instant pausedUntil,
            Instant dateCreated,
            @Nullable String secret,
            @Nullable Instant previousSecretValidUntil) {

        public boolean isEnabled() {
            return status.equals("enabled");
        }

        /** {@code enabled}, {@code failing}, {@code paused} or {@code disabled}: that no attempt has failed yet makes no endpoint healthy. */
        public String health() {
            if (!isEnabled()) {
                return "disabled";
            }
            return failingSince == null ? "enabled" : pausedUntil == null ? "failing" : "paused";
        }

        /** Since when it has its {@link #health}. */
        public Instant since() {
            if (disabledSince != null) {
                return disabledSince;
            }
            return failingSince == null ? dateCreated : failingSince;
        }
    }

    public record DeliveryList(List<Delivery> deliveries, @Nullable String nextCursor) {}

    /** The deliveries of a transaction's events to one endpoint. */
    public record SentTo(Endpoint endpoint, List<Delivery> deliveries) {}

    /** @param payload the body of its webhooks; null if the gateway does not tell it */
    public record Delivery(
            String id,
            String eventType,
            String transactionId,
            String status,
            @Nullable Instant nextAttemptAt,
            List<Attempt> attempts,
            @Nullable String payload) {

        /** Null before the first one has ended. */
        public @Nullable Attempt last() {
            return attempts.isEmpty() ? null : attempts.get(attempts.size() - 1);
        }
    }

    /** @param response the beginning of the response's body; null if the gateway does not tell it */
    public record Attempt(
            Instant at, String outcome, @Nullable Integer statusCode, long durationMs, @Nullable String response) {

        public boolean isDelivered() {
            return outcome.equals("delivered");
        }
    }

    public record Replay(
            UUID id,
            String status,
            Instant from,
            Instant to,
            String deliveryStatus,
            long lookedAt,
            long scheduled,
            Instant dateCreated) {

        public boolean isRunning() {
            return status.equals("running");
        }
    }

    public record Balance(
            String balance,
            String available,
            String cashoutsInFlight,
            String refundsInFlight,
            String blocked,
            @Nullable Instant asOf) {}

    public record Statement(
            String openingBalance,
            String closingBalance,
            @JsonProperty("final") boolean isFinal,
            List<StatementEntry> entries,
            @Nullable String nextCursor) {

        static final Statement NONE = new Statement("0.00", "0.00", false, List.of(), null);
    }

    public record StatementEntry(
            Instant dateCreated,
            String transactionId,
            String type,
            String gross,
            String commission,
            String net,
            String balance) {}

    /** @param denials null while they are being counted */
    public record FigureList(List<Figures> days, Figures total, @Nullable List<Denials> denials) {}

    public record Denials(String reason, long count) {}

    /** @param date null for the total */
    public record Figures(
            @Nullable LocalDate date,
            @Nullable Long created,
            @Nullable Long cashinsPaid,
            @Nullable String cashinsPaidAmount,
            @Nullable Long cashoutsPaid,
            @Nullable String cashoutsPaidAmount,
            @Nullable Long medianSecondsToPay,
            @Nullable Long p99SecondsToPay) {

        /** What was paid for each transaction that was created, at most 1: payments may be of older ones. Null if it is unknown. */
        public @Nullable Double share() {
            if (created == null || created == 0 || cashinsPaid == null || cashoutsPaid == null) {
                return null;
            }
            return Math.min(1, (cashinsPaid + cashoutsPaid) / (double) created);
        }
    }
}
