package dev.ligeiro.gateway.page.console;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the pages read of the API's answers. The description of the API explains the members. */
public final class Answers {

    private Answers() {}

    public record TransactionList(
            List<TransactionItem> transactions,
            int currentPage,
            long lastPage,
            @Nullable String nextPageUrl,
            long total) {}

    public record OneTransaction(List<TransactionItem> transaction) {}

    public record TransactionItem(
            String id,
            String amount,
            String commission,
            String dateCreated,
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
            String finished,
            String expiresAt,
            @Nullable String paymentLink,
            @Nullable String qrCode,
            @Nullable String qrCodeImage,
            @Nullable String pixKey,
            @Nullable String refundedAmount) {

        public boolean isCashin() {
            return operation.equals("cashin");
        }
    }

    public record RefundList(List<RefundItem> refunds) {}

    public record RefundItem(
            String id,
            String amount,
            String status,
            String origin,
            String refundReference,
            String description,
            String dateCreated) {}

    public record HistoryList(List<HistoryItem> history) {}

    public record HistoryItem(
            String dateCreated,
            String type,
            String status,
            String source,
            String reason,
            String description,
            String refundId) {}

    public record EndpointList(List<EndpointItem> webhooks) {}

    public record EndpointItem(
            String id,
            String url,
            List<String> events,
            String description,
            String status,
            String disabledReason,
            String disabledSince,
            String failingSince,
            String pausedUntil,
            String dateCreated,
            @Nullable String secret,
            @Nullable String previousSecretValidUntil) {

        public boolean isEnabled() {
            return status.equals("enabled");
        }

        /** That no attempt has failed yet does not make an endpoint healthy. {@code enabled}, {@code failing}, {@code paused} or {@code disabled}. */
        public String health() {
            if (!isEnabled()) {
                return "disabled";
            }
            return failingSince.isEmpty() ? "enabled" : pausedUntil.isEmpty() ? "failing" : "paused";
        }
    }

    public record DeliveryList(List<DeliveryItem> deliveries, @Nullable String nextCursor) {}

    public record DeliveryItem(
            String id,
            String eventType,
            String transactionId,
            String status,
            String nextAttemptAt,
            List<AttemptItem> attempts) {}

    /** The deliveries of a transaction's events to one endpoint. */
    public record SentTo(EndpointItem endpoint, List<DeliveryItem> deliveries) {}

    public record AttemptItem(String at, String outcome, @Nullable Integer statusCode, long durationMs) {}

    public record ReplayItem(
            String id,
            String status,
            String from,
            String to,
            String deliveryStatus,
            long lookedAt,
            long scheduled,
            String dateCreated) {}

    public record KeyList(List<KeyItem> keys) {}

    public record KeyItem(
            String id,
            String name,
            String prefix,
            List<String> scopes,
            List<String> allowedNetworks,
            String status,
            boolean isYours,
            String lastUsedAt,
            String expiresAt,
            String dateCreated) {}

    public record SessionList(List<SessionItem> consoleSessions) {}

    public record SessionItem(
            String id, String keyId, List<String> scopes, String status, String lastUsedAt, String expiresAt) {}

    public record BalanceItem(
            String balance, String available, String cashoutsInFlight, String refundsInFlight, String asOf) {}

    public record StatementList(
            String openingBalance,
            String closingBalance,
            @JsonProperty("final") boolean isFinal,
            List<StatementItem> entries,
            @Nullable String nextCursor) {}

    public record StatementItem(
            String dateCreated,
            String transactionId,
            String type,
            String gross,
            String commission,
            String net,
            String balance) {}

    public record FiguresList(List<FiguresItem> days, FiguresItem total) {}

    /** @param date null for the total */
    public record FiguresItem(
            @Nullable String date,
            @Nullable Long created,
            @Nullable Long cashinsPaid,
            @Nullable String cashinsPaidAmount,
            @Nullable Long cashoutsPaid,
            @Nullable String cashoutsPaidAmount,
            @Nullable Long medianSecondsToPay) {

        /** What was paid for each transaction that was created, at most 1: payments may be of older ones. Null if it is unknown. */
        public @Nullable Double share() {
            if (created == null || created == 0 || cashinsPaid == null || cashoutsPaid == null) {
                return null;
            }
            return Math.min(1, (cashinsPaid + cashoutsPaid) / (double) created);
        }
    }
}
