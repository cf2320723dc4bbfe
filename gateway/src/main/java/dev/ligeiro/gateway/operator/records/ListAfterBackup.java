package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.operator.records.StoredStateStore.StoredState;
import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Compares what Kafka's records say about transactions with what MongoDB has. */
@Component
class ListAfterBackup {

    /** New transactions are in the commands until a processor accepts them; every later state is in the events. */
    static final List<String> TOPICS = List.of(Topics.COMMANDS, Topics.EVENTS);

    /** Some 2 MB of records. */
    static final int RECORDS_MAX = 1_000;

    /** Of records that are larger. */
    private static final int BYTES_MAX = 4 * 1024 * 1024;

    private final ReadTopics topics;
    private final StoredStateStore stored;

    ListAfterBackup(ReadTopics topics, StoredStateStore stored) {
        this.topics = topics;
        this.stored = stored;
    }

    /**
     * Fails with a problem 503 while Kafka is unavailable.
     *
     * @param since each partition begins with its first record of this time or later
     * @param after the page begins behind it; null for the first page
     */
    Mono<Compared> list(Instant since, @Nullable RecordAt after) {
        return topics.read(consumer -> Known.of(new TopicScan(consumer, TOPICS, since, ReadTopics.READ_MAX)
                        .page(after, RECORDS_MAX, BYTES_MAX)))
                .flatMap(known -> stored.find(known.latest().keySet()).map(found -> compare(known, found)));
    }

    private static Compared compare(Known known, Map<TransactionId, StoredState> stored) {
        List<LostState> lost = known.latest().values().stream()
                .map(latest -> LostState.of(latest, stored.get(latest.id().transactionId())))
                .flatMap(Optional::stream)
                .sorted(Comparator.comparing(LostState::id))
                .toList();
        return new Compared(lost, known.records(), known.unreadable(), Objects.toString(known.next(), null));
    }

    /**
     * The response: a page of records, compared.
     *
     * @param transactions in the order of creation; a later page may have a later state of the same transaction
     * @param records how many were read
     * @param unreadable how many of them this version cannot read
     */
    record Compared(List<LostState> transactions, int records, int unreadable, @Nullable String nextCursor) {}

    /** A state of a transaction that Kafka has and MongoDB has not. It contains no personal data. */
    record LostState(
            String id,
            long tenant,
            String mode,
            String operation,
            String amount,
            @Nullable String reference,
            String endToEndId,
            String status,
            @Nullable String storedStatus,
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
                    transaction.tenant().key(),
                    transaction.tenant().mode().code(),
                    transaction.operation().code(),
                    transaction.terms().amount().toString(),
                    Objects.toString(transaction.terms().reference(), null),
                    transaction.endToEndId(),
                    transaction.status().code(),
                    stored == null ? null : stored.status().code(),
                    known.sequence(),
                    stored == null ? 0 : stored.sequence(),
                    known.at(),
                    known.id().toString()));
        }
    }

    /**
     * What a page of records says.
     *
     * @param latest the latest state of each transaction, as the event that announces it
     */
    private record Known(
            Map<TransactionId, TransactionEvent> latest, int records, int unreadable, @Nullable RecordAt next) {

        static Known of(AdminPage<ConsumerRecord<byte[], byte[]>, RecordAt> page) {
            Map<TransactionId, TransactionEvent> latest = new HashMap<>();
            int unreadable = 0;
            for (ConsumerRecord<byte[], byte[]> record : page.items()) {
                try {
                    TransactionEvent state = state(record);
                    if (state != null) {
                        latest.merge(state.id().transactionId(), state, Known::later);
                    }
                } catch (InvalidMessage otherVersion) {
                    unreadable++;
                }
            }
            return new Known(latest, page.items().size(), unreadable, page.next());
        }

        /** Null for a record that does not say a transaction's state. */
        private static @Nullable TransactionEvent state(ConsumerRecord<byte[], byte[]> record) {
            byte[] value = record.value() == null ? new byte[0] : record.value();
            if (record.topic().equals(Topics.EVENTS)) {
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
}
