package dev.ligeiro.gateway.operator.records;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.operator.admin.AdminResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.MerchantNames;
import dev.ligeiro.gateway.operator.admin.NamedMerchant;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.operator.records.StoredStateStore.StoredState;
import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import dev.ligeiro.view.TimeText;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * {@code GET /admin/after-backup?since=&after=}: the transactions that a restored MongoDB does not have, or has in an earlier state. It
 * compares the states in Kafka's commands and events with the stored ones.
 */
@Component
class AfterBackupController implements ManagementRoutes {

    static final int RECORDS_MAX = 1_000;

    /** More than the sum of the limits of the steps: reading a page, closing the consumer and one query. */
    private static final Duration LIST_MAX = Duration.ofSeconds(15);

    private final AdminRoutes routes;
    private final ReadTopics topics;
    private final StoredStateStore stored;
    private final MerchantNames names;

    AfterBackupController(AdminRoutes routes, ReadTopics topics, StoredStateStore stored, MerchantNames names) {
        this.routes = routes;
        this.topics = topics;
        this.stored = stored;
        this.names = names;
    }

    @Override
    public List<Route> routes() {
        return List.of(routes.get("/admin/after-backup", LIST_MAX, this::list));
    }

    /** {@code since}: records before this time are not read, since the backup has their effect. */
    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("since", "after"));
        Instant since = given.requiredParsed("since", AfterBackupController::since);
        Cursor after = given.parsed("after", Cursor::parse);
        given.orThrow();
        return list(requireNonNull(since), after == null ? Cursor.FIRST : after).flatMap(AdminResponse::ok);
    }

    private static Instant since(String text) {
        Instant since = TimeText.parse(text);
        if (since.isBefore(Instant.EPOCH)) {
            throw new IllegalArgumentException("expected a time after 1970");
        }
        return since;
    }

    private Mono<Compared> list(Instant since, Cursor cursor) {
        return topics.read(cursor.topic(), since, scan -> scan.page(cursor.after(), RECORDS_MAX))
                .map(page -> PageStates.of(page.items(), cursor.next(page.next())))
                .flatMap(known ->
                        stored.find(known.latest().keySet()).flatMap(found -> named(known, lost(known, found))));
    }

    /** A merchant that the backup lacks has its number only. */
    private Mono<Compared> named(PageStates known, List<LostState> lost) {
        return names.ofTenants(new AdminPage<>(lost, null), LostState::tenant, NamedState::new)
                .map(page -> new Compared(
                        page.items(), known.records(), known.unreadable(), Objects.toString(known.next(), null)));
    }

    private static List<LostState> lost(PageStates known, Map<TransactionId, StoredState> stored) {
        return known.latest().values().stream()
                .map(latest -> LostState.of(latest, stored.get(latest.id().transactionId())))
                .flatMap(Optional::stream)
                .sorted(Comparator.comparing(LostState::id))
                .toList();
    }

    /**
     * The response: a page of records, compared.
     *
     * @param transactions in the order of creation; a later page may have a later state of the same transaction
     * @param records how many were read
     * @param unreadable how many of them this version cannot read
     */
    record Compared(List<NamedState> transactions, int records, int unreadable, @Nullable String nextCursor) {}

    record NamedState(@JsonUnwrapped LostState state, @JsonUnwrapped NamedMerchant merchant) {}

    /** A state of a transaction that Kafka has and MongoDB has not. It contains no personal data. */
    record LostState(
            String id,
            @JsonIgnore Tenant tenant,
            Mode mode,
            Operation operation,
            String amount,
            @Nullable String reference,
            String endToEndId,
            Status status,
            @Nullable Status storedStatus,
            int sequence,
            int storedSequence,
            Instant at,
            String webhookId) {

        /** Empty unless the stored history ends before the one in Kafka. Only announced entries count: Kafka has no others. */
        static Optional<LostState> of(TransactionEvent known, @Nullable StoredState stored) {
            if (stored != null && stored.sequence() >= known.sequence()) {
                return Optional.empty();
            }
            TransactionSnapshot transaction = known.transaction();
            return Optional.of(new LostState(
                    transaction.id().toString(),
                    transaction.tenant(),
                    transaction.tenant().mode(),
                    transaction.operation(),
                    transaction.terms().amount().toString(),
                    Objects.toString(transaction.terms().reference(), null),
                    transaction.endToEndId(),
                    transaction.status(),
                    stored == null ? null : stored.status(),
                    known.sequence(),
                    stored == null ? 0 : stored.sequence(),
                    known.at(),
                    known.id().toString()));
        }
    }

    /**
     * The states in a page of records.
     *
     * @param latest the latest state of each transaction, as the event that announces it
     */
    private record PageStates(
            Map<TransactionId, TransactionEvent> latest, int records, int unreadable, @Nullable Cursor next) {

        static PageStates of(List<ConsumerRecord<byte[], byte[]>> records, @Nullable Cursor next) {
            Map<TransactionId, TransactionEvent> latest = new HashMap<>();
            int unreadable = 0;
            for (ConsumerRecord<byte[], byte[]> record : records) {
                try {
                    TransactionEvent state = state(record);
                    if (state != null) {
                        latest.merge(state.id().transactionId(), state, PageStates::later);
                    }
                } catch (InvalidMessage otherVersion) {
                    unreadable++;
                }
            }
            return new PageStates(latest, records.size(), unreadable, next);
        }

        /** Null for a record that does not say a transaction's state. */
        private static @Nullable TransactionEvent state(ConsumerRecord<byte[], byte[]> record) {
            byte[] value = record.value() == null ? new byte[0] : record.value();
            if (record.topic().equals(Topics.EVENTS)) {
                Header type = record.headers().lastHeader(EventHeaders.TYPE);
                if (type != null && EventHeaders.isForBooks(type.value())) {
                    return null;
                }
                return MessageJson.readEvent(value);
            }
            return MessageJson.readCommand(value) instanceof TransactionCommand.Process process
                    ? TransactionEvent.of(
                            process.transaction(),
                            process.transaction().history().sequence())
                    : null;
        }

        private static TransactionEvent later(TransactionEvent one, TransactionEvent other) {
            return one.sequence() >= other.sequence() ? one : other;
        }
    }

    /**
     * Where a page begins, as text {@code <topic>} or {@code <topic>-<partition>-<offset>}. New transactions are in the commands until a
     * processor accepts them; every later state is in the events.
     *
     * @param after null for the beginning of the topic
     */
    private record Cursor(String topic, @Nullable RecordPlace after) {

        static final Cursor FIRST = new Cursor(Topics.COMMANDS, null);
        private static final Cursor SECOND = new Cursor(Topics.EVENTS, null);

        /** The beginning of the next page; null after the last one. */
        @Nullable
        Cursor next(@Nullable RecordPlace last) {
            if (last != null) {
                return new Cursor(topic, last);
            }
            return topic.equals(FIRST.topic) ? SECOND : null;
        }

        /** @throws IllegalArgumentException with the expected form as its message */
        static Cursor parse(String text) {
            for (Cursor begin : List.of(FIRST, SECOND)) {
                if (text.equals(begin.topic)) {
                    return begin;
                }
                if (text.startsWith(begin.topic + "-")) {
                    return new Cursor(begin.topic, RecordPlace.parse(text.substring(begin.topic.length() + 1)));
                }
            }
            throw new IllegalArgumentException("expected the next_cursor of a page");
        }

        @Override
        public String toString() {
            return after == null ? topic : topic + "-" + after;
        }
    }
}
