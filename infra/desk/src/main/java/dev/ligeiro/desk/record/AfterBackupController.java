package dev.ligeiro.desk.record;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.merchant.MerchantNames;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionSnapshot;
import dev.ligeiro.view.TimeText;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The transactions that a restored MongoDB does not have, or has in an earlier state. It compares the states in Kafka's commands and events
 * with the stored ones.
 */
@RestController
@Tag(name = "after-backup")
class AfterBackupController {

    static final int RECORDS_MAX = 1_000;

    private final TopicReader topics;
    private final TransactionStore stored;
    private final MerchantNames names;

    AfterBackupController(TopicReader topics, TransactionStore stored, MerchantNames names) {
        this.topics = topics;
        this.stored = stored;
        this.names = names;
    }

    /**
     * A page of records, compared.
     *
     * @param transactions in the order of creation; a later page may have a later state of the same transaction
     * @param records how many were read
     * @param unreadable how many of them this version cannot read
     */
    record Compared(List<NamedState> transactions, int records, int unreadable, @Nullable String nextCursor) {}

    record NamedState(@JsonUnwrapped LostState state, @JsonUnwrapped NamedMerchant merchant) {}

    /** @param since records before this time are not read, since the backup has their effect */
    @GetMapping("/admin/after-backup")
    @Needs(Role.READ)
    @Operation(summary = "The transactions that a restored MongoDB lacks, or has in an earlier state")
    Compared list(@RequestParam String since, @RequestParam @Nullable String after) {
        Instant from = since(since);
        Cursor cursor = after == null ? new Cursor(Topics.COMMANDS, null) : Cursor.parse(after);
        TopicReader.Page page = topics.read(cursor.topic(), from, scan -> scan.page(cursor.after(), RECORDS_MAX));
        Map<UUID, TransactionEvent> latest = new HashMap<>();
        int unreadable = 0;
        for (ConsumerRecord<byte[], byte[]> record : page.records()) {
            try {
                state(record)
                        .ifPresent(state -> latest.merge(
                                state.id().transactionId().value(),
                                state,
                                (one, other) -> one.sequence() >= other.sequence() ? one : other));
            } catch (InvalidMessage otherVersion) {
                unreadable++;
            }
        }
        Map<UUID, StoredState> found = stored.all(latest.keySet(), StoredState::of);
        List<LostState> lost = latest.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(each -> LostState.of(each.getValue(), found.get(each.getKey())).stream())
                .toList();
        Function<@Nullable Tenant, NamedMerchant> named = names.ofTenants(lost, LostState::tenant);
        return new Compared(
                lost.stream()
                        .map(each -> new NamedState(each, named.apply(each.tenant())))
                        .toList(),
                page.records().size(),
                unreadable,
                Objects.toString(cursor.next(page.next()), null));
    }

    private static Instant since(String text) {
        try {
            Instant since = TimeText.parse(text);
            if (!since.isBefore(Instant.EPOCH)) {
                return since;
            }
        } catch (IllegalArgumentException malformed) {
            throw Problem.invalid("since", String.valueOf(malformed.getMessage()));
        }
        throw Problem.invalid("since", "expected a time after 1970");
    }

    /** Empty for a record that does not say a transaction's state. */
    private static Optional<TransactionEvent> state(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value() == null ? new byte[0] : record.value();
        if (record.topic().equals(Topics.EVENTS)) {
            Header type = record.headers().lastHeader(EventHeaders.TYPE);
            return type != null && EventHeaders.isForBooks(type.value())
                    ? Optional.empty()
                    : Optional.of(MessageJson.readEvent(value));
        }
        return MessageJson.readCommand(value) instanceof TransactionCommand.Process process
                ? Optional.of(TransactionEvent.of(
                        process.transaction(), process.transaction().history().sequence()))
                : Optional.empty();
    }

    /** A transaction's stored status, and the number of its announced entries. */
    private record StoredState(Status status, int sequence) {

        static StoredState of(Transaction stored) {
            return new StoredState(stored.status(), stored.history().sequence());
        }
    }

    /** A state of a transaction that Kafka has and MongoDB has not. It contains no personal data. */
    record LostState(
            String id,
            @JsonIgnore Tenant tenant,
            Mode mode,
            dev.ligeiro.transaction.Operation operation,
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
     * Where a page begins, as text {@code <topic>} or {@code <topic>-<partition>-<offset>}. New transactions are in the commands until a
     * processor accepts them; every later state is in the events.
     *
     * @param after null for the beginning of the topic
     */
    private record Cursor(String topic, @Nullable RecordPlace after) {

        /** The beginning of the next page; null after the last one. */
        @Nullable
        Cursor next(@Nullable RecordPlace last) {
            if (last != null) {
                return new Cursor(topic, last);
            }
            return topic.equals(Topics.COMMANDS) ? new Cursor(Topics.EVENTS, null) : null;
        }

        static Cursor parse(String text) {
            try {
                for (String topic : List.of(Topics.COMMANDS, Topics.EVENTS)) {
                    if (text.equals(topic)) {
                        return new Cursor(topic, null);
                    }
                    if (text.startsWith(topic + "-")) {
                        return new Cursor(topic, RecordPlace.valueOf(text.substring(topic.length() + 1)));
                    }
                }
            } catch (IllegalArgumentException malformed) {
                // the same answer as for another topic
            }
            throw Problem.invalid("after", "expected the next_cursor of a page");
        }

        @Override
        public String toString() {
            return after == null ? topic : topic + "-" + after;
        }
    }
}
