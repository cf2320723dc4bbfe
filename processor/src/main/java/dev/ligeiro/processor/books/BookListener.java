package dev.ligeiro.processor.books;

import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.support.kafka.IntakeProperties;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.ConsumerSeekAware;
import org.springframework.stereotype.Component;

/**
 * Writes the postings of the events, in a consumer group of its own, so that it can neither delay nor fail a command. When it returns, the
 * postings of the batch are stored and their balances have them, and the offsets are committed.
 */
@Component
@ConditionalOnBooleanProperty(name = "ligeiro.books.enabled", matchIfMissing = true)
class BookListener implements ConsumerSeekAware {

    private static final Logger LOG = LoggerFactory.getLogger(BookListener.class);

    /** Half of all events are of the first type. They are not decoded. */
    private static final Set<EventType> MOVE_NOTHING = EnumSet.of(
            EventType.CREATED, EventType.CANCELED, EventType.IN_ANALYSIS, EventType.EXPIRED, EventType.PAYER_MISMATCH);

    private final PostingStore postings;
    private final BalanceStore balances;
    private final CommittedOffsets topics;
    private final Counter written;
    private final Counter skipped;
    private final Timer delay;
    private final Clock clock;
    private final Duration batchTimeout;
    private volatile @Nullable String topicId;

    BookListener(
            PostingStore postings,
            BalanceStore balances,
            CommittedOffsets topics,
            MeterRegistry meters,
            Clock clock,
            IntakeProperties properties) {
        this.postings = postings;
        this.balances = balances;
        this.topics = topics;
        this.written = Counter.builder("ligeiro.books.postings")
                .description("Postings that were written; those of a batch that is written again count again")
                .register(meters);
        this.skipped = Counter.builder("ligeiro.books.skipped")
                .description("Events whose posting cannot be made or stored; the books lack it until they are rebuilt")
                .register(meters);
        this.delay = Timer.builder("ligeiro.books.delay")
                .description("From the first event of a batch until the books have it")
                .register(meters);
        this.clock = clock;
        this.batchTimeout = properties.batchTimeout();
    }

    /** The topic may be another one of the same name, whose offsets begin again. */
    @Override
    public void onPartitionsAssigned(Map<TopicPartition, Long> assigned, ConsumerSeekCallback callback) {
        topicId = null;
    }

    /**
     * A fetch waits for 500 ms or 128 KiB, so there are at most two batches a second without a backlog: nobody waits for a posting, and a
     * batch of any size costs three writes. The bytes of a fetch and the records of a batch are those of ProcessorMemoryBudget's test.
     */
    @KafkaListener(
            id = "books",
            idIsGroup = false,
            groupId = "${ligeiro.books.consumer-group}",
            topics = Topics.EVENTS,
            autoStartup = "false",
            properties = {
                "fetch.max.wait.ms=500",
                "fetch.min.bytes=131072",
                "fetch.max.bytes=262144",
                "max.partition.fetch.bytes=262144",
                "max.poll.records=250"
            })
    void onBatch(List<ConsumerRecord<byte[], byte[]>> records) {
        if (topicId == null) {
            topicId = topics.topicId(Topics.EVENTS).block(batchTimeout);
        }
        List<SourcedPosting> read = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            try {
                for (Posting posting : postings(record)) {
                    read.add(new SourcedPosting(posting, topicId + "_" + record.partition(), record.offset()));
                }
            } catch (RuntimeException unreadable) {
                // nothing was written yet, so any fault is that of the record
                skip(record.topic() + "_" + record.partition(), record.offset(), unreadable);
            }
        }
        write(read);
        written.increment(read.size());
        if (!read.isEmpty()) {
            delay.record(Duration.between(read.get(0).posting().at(), clock.instant()));
        }
    }

    private void write(List<SourcedPosting> all) {
        try {
            postings.insert(all).flatMap(balances::add).block(batchTimeout);
        } catch (RuntimeException fault) {
            if (mayPass(fault)) {
                throw fault;
            }
            Collection<List<SourcedPosting>> records = byRecord(all);
            if (records.size() == 1) {
                skip(all.get(0).source(), all.get(0).offset(), fault);
                return;
            }
            records.forEach(this::write);
        }
    }

    /** A balance takes the postings of a record at once, or it would refuse the second one as known. */
    private static Collection<List<SourcedPosting>> byRecord(List<SourcedPosting> all) {
        Map<List<Object>, List<SourcedPosting>> records = new LinkedHashMap<>();
        all.forEach(one -> records.computeIfAbsent(List.of(one.source(), one.offset()), key -> new ArrayList<>())
                .add(one));
        return records.values();
    }

    private static boolean mayPass(RuntimeException fault) {
        return fault instanceof TransientFault
                || fault.getCause() instanceof TimeoutException
                // block(timeout) throws this when the service stops
                || fault.getCause() instanceof InterruptedException;
    }

    /** The posting is missing until the books are rebuilt. */
    private void skip(String source, long offset, Exception fault) {
        skipped.increment();
        LOG.atError()
                .addKeyValue("event.action", "posting_skipped")
                .addKeyValue("source", source)
                .addKeyValue("offset", offset)
                .addKeyValue("cause", fault.getClass().getName())
                .log("The posting of an event cannot be made or stored; the books lack it until they are rebuilt");
    }

    private static List<Posting> postings(ConsumerRecord<byte[], byte[]> record) {
        byte[] type = type(record);
        if (EventHeaders.isForBooks(type)) {
            return PostingRules.of(MessageJson.readBookEvent(record.value()));
        }
        EventType known = EventHeaders.type(type);
        return known != null && MOVE_NOTHING.contains(known)
                ? List.of()
                : PostingRules.of(MessageJson.readEvent(record.value()));
    }

    private static byte @Nullable [] type(ConsumerRecord<?, ?> record) {
        Header header = record.headers().lastHeader(EventHeaders.TYPE);
        return header == null ? null : header.value();
    }
}
