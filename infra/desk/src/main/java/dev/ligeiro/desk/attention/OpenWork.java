package dev.ligeiro.desk.attention;

import static org.springframework.data.mongodb.core.query.Criteria.where;

import com.fasterxml.jackson.annotation.JsonKey;
import dev.ligeiro.message.Topics;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.ErasureFields;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.ResolutionFields;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.webhook.DisabledReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.query.Criteria;

/** What waits for a person or a process, in the order of the page. */
public enum OpenWork {
    /** For longer than 10 minutes. */
    UNKNOWN_OUTCOMES(CollectionNames.TRANSACTIONS, TransactionFields.UNSETTLED_SINCE, "unsettled", true),
    UNMATCHED_PAYMENTS(CollectionNames.UNMATCHED_PAYMENTS, UnmatchedPaymentFields.AT, "unmatched-payments", true),
    /** Disputes without a defence whose deadline is within 24 hours. */
    DISPUTES(CollectionNames.DISPUTES, StoredDispute.OPENED_AT, "disputes", true),
    /** Claims that no transaction can take. */
    UNMATCHED_DISPUTES(CollectionNames.DISPUTES, StoredDispute.UNMATCHED_SINCE, "disputes?state=unmatched", true),
    DEAD_COMMANDS(null, "", "dead-letters?topic=" + Topics.COMMANDS, true),
    DEAD_EVENTS(null, "", "dead-letters?topic=" + Topics.EVENTS, true),
    APPROVALS(CollectionNames.TRANSACTIONS, TransactionFields.APPROVAL_SINCE, "approvals", false),
    /** Those that wait for a second operator. */
    RESOLUTIONS(CollectionNames.RESOLUTIONS, ResolutionFields.ID, "resolutions", false),
    /** Those that wait for a second operator. */
    ERASURES(CollectionNames.ERASURES, ErasureFields.ID, "stored-data", false),
    BREAKS(CollectionNames.BREAKS, BreakFields.SINCE, "breaks", false),
    FAILING_ENDPOINTS(CollectionNames.LANES, LaneFields.FAILING_SINCE, "endpoints", false),
    /** Those that dispatchers have disabled; not those of a merchant's own will. */
    DISABLED_ENDPOINTS(CollectionNames.ENDPOINTS, EndpointFields.STATUS_SINCE, "endpoints", false),
    /** Transactions that no processor has accepted for a minute. */
    UNACCEPTED(CollectionNames.TRANSACTIONS, TransactionFields.UNACCEPTED, null, true);

    private static final Duration UNKNOWN_FOR = Duration.ofMinutes(10);
    private static final Duration DISPUTES_DUE_IN = Duration.ofHours(24);
    private static final Duration UNACCEPTED_FOR = Duration.ofMinutes(1);

    /** Null for what is in Kafka. */
    final @Nullable String collection;
    /** The field with the time, or with an id that begins with it. */
    final String since;

    private final @Nullable String list;
    private final boolean isUrgent;

    OpenWork(@Nullable String collection, String since, @Nullable String list, boolean isUrgent) {
        this.collection = collection;
        this.since = since;
        this.list = list;
        this.isUrgent = isUrgent;
    }

    /** Its name in JSON, and that of its text. */
    @JsonKey
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The end of the path of its list; null without one. */
    public @Nullable String list() {
        return list;
    }

    /** Whether money or a merchant waits as long as it is not empty. */
    public boolean isUrgent() {
        return isUrgent;
    }

    /** Each reads entries of an index only. */
    Criteria which(Instant now) {
        return switch (this) {
            case UNKNOWN_OUTCOMES -> where(since).lt(now.minus(UNKNOWN_FOR));
            case UNMATCHED_PAYMENTS -> where(UnmatchedPaymentFields.RESOLVED).exists(false);
            case DISPUTES ->
                where(StoredDispute.STATUS)
                        .is(Dispute.Status.OPEN.code())
                        .and(StoredDispute.DEADLINE)
                        .gte(now)
                        .lt(now.plus(DISPUTES_DUE_IN));
            case RESOLUTIONS -> where(ResolutionFields.STATE).is(ResolutionState.PROPOSED.code());
            case ERASURES -> where(ErasureFields.STATE).is(ErasureFields.State.PROPOSED.code());
            case BREAKS -> where(BreakFields.OPEN).exists(true);
            case DISABLED_ENDPOINTS ->
                where(EndpointFields.ENABLED)
                        .is(false)
                        .and(EndpointFields.DISABLED_REASON)
                        .in(DisabledReason.GONE.code(), DisabledReason.FAILING.code());
            case UNACCEPTED -> where(since).lt(now.minus(UNACCEPTED_FOR));
            default -> where(since).exists(true);
        };
    }
}
