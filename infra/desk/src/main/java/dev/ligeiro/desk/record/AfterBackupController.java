package dev.ligeiro.desk.record;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.record.TopicReader.RecordPlace;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionSnapshot;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The transactions that a restored MongoDB does not have, or has in an earlier state. It compares the states in Kafka's commands and events
 * with the stored ones. New transactions are in the commands until a processor accepts them; every later state is in the events.
 */
@RestController
@Tag(name = "after-backup")
class AfterBackupController {

    static final int RECORDS_MAX = 1_000;

    /** {@code <topic>} for its beginning, or {@code <topic>-<partition>-<offset>}. */
    private static final Pattern CURSOR =
            Pattern.compile("(" + Topics.COMMANDS + "|" + Topics.EVENTS + ")(?:-(" + RecordPlace.FORM + "))?");

    private static final BinaryOperator<TransactionEvent> LATER =
            (one, other) -> one.sequence() >= other.sequence() ? one : other;

    private final TopicReader topics;
    private final TransactionStore stored;
    private final MerchantStore merchants;

    AfterBackupController(TopicReader topics, TransactionStore stored, MerchantStore merchants) {
        this.topics = topics;
        this.stored = stored;
        this.merchants = merchants;
    }

    /**
     * A page of records, compared.
     *
     * @param transactions in the order of creation; a later page may have a later state of the same transaction
     * @param records how many were read
     * @param unreadable how many of them this version cannot read
     */
    record Compared(List<LostState> transactions, int records, int unreadable, @Nullable String nextCursor) {}

    /** @param since records before this time are not read, since the backup has their effect */
    @GetMapping("/admin/after-backup")
    @Needs(Role.READ)
    @Operation(summary = "The transactions that a restored MongoDB lacks, or has in an earlier state")
    Compared list(@RequestParam Instant since, @RequestParam @Nullable String after) {
        Matcher cursor = CURSOR.matcher(after == null ? Topics.COMMANDS : after);
        if (!cursor.matches()) {
            throw Problem.invalid("after", "expected the next_cursor of a page");
        }
        String topic = cursor.group(1);
        RecordPlace place = cursor.group(2) == null ? null : RecordPlace.valueOf(cursor.group(2));
        TopicReader.Page page = topics.read(topic, since, place, RECORDS_MAX);
        Map<UUID, TransactionEvent> latest = new TreeMap<>();
        int unreadable = 0;
        for (ConsumerRecord<byte[], byte[]> record : page.records()) {
            try {
                TransactionEvent state = state(record);
                if (state != null) {
                    latest.merge(state.id().transactionId().value(), state, LATER);
                }
            } catch (InvalidMessage otherVersion) {
                unreadable++;
            }
        }
        String end = topic.equals(Topics.COMMANDS) ? Topics.EVENTS : null;
        String next = page.next() == null ? end : topic + "-" + page.next();
        return new Compared(lost(latest), page.records().size(), unreadable, next);
    }

    /** Null for a record that does not say a transaction's state. */
    private static @Nullable TransactionEvent state(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value() == null ? new byte[0] : record.value();
        if (record.topic().equals(Topics.EVENTS)) {
            Header type = record.headers().lastHeader(EventHeaders.TYPE);
            return type != null && EventHeaders.isForBooks(type.value()) ? null : MessageJson.readEvent(value);
        }
        return MessageJson.readCommand(value) instanceof TransactionCommand.Process process
                ? TransactionEvent.of(
                        process.transaction(), process.transaction().history().sequence())
                : null;
    }

    /** Those whose stored history ends before the one in Kafka. Only announced entries count: Kafka has no others. */
    private List<LostState> lost(Map<UUID, TransactionEvent> latest) {
        Map<UUID, StoredState> found = stored.allOrFail(latest.keySet(), StoredState::of);
        latest.values().removeIf(event -> of(found, event).sequence >= event.sequence());
        Function<@Nullable Tenant, NamedMerchant> named = merchants.namesOfTenants(
                latest.values(), event -> event.transaction().tenant());
        return latest.values().stream()
                .map(event -> LostState.of(
                        event, of(found, event), named.apply(event.transaction().tenant())))
                .toList();
    }

    private static StoredState of(Map<UUID, StoredState> found, TransactionEvent event) {
        return found.getOrDefault(event.id().transactionId().value(), StoredState.NONE);
    }

    /** A transaction's stored status, and the number of its announced entries. */
    private record StoredState(@Nullable Status status, int sequence) {

        static final StoredState NONE = new StoredState(null, 0);

        static StoredState of(Transaction stored) {
            return new StoredState(stored.status(), stored.history().sequence());
        }
    }

    /** A state of a transaction that Kafka has and MongoDB has not. It contains no personal data. */
    record LostState(
            String id,
            Mode mode,
            dev.ligeiro.transaction.Operation operation,
            Amount amount,
            @Nullable String reference,
            String endToEndId,
            Status status,
            @Nullable Status storedStatus,
            int sequence,
            int storedSequence,
            Instant at,
            String webhookId,
            @JsonUnwrapped NamedMerchant merchant) {

        static LostState of(TransactionEvent known, StoredState stored, NamedMerchant merchant) {
            TransactionSnapshot transaction = known.transaction();
            return new LostState(
                    transaction.id().toString(),
                    transaction.tenant().mode(),
                    transaction.operation(),
                    transaction.terms().amount(),
                    Objects.toString(transaction.terms().reference(), null),
                    transaction.endToEndId(),
                    transaction.status(),
                    stored.status,
                    known.sequence(),
                    stored.sequence,
                    known.at(),
                    known.id().toString(),
                    merchant);
        }
    }
}
