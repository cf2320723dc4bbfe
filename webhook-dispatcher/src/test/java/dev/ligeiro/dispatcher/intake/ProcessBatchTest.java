package dev.ligeiro.dispatcher.intake;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.ligeiro.dispatcher.TestEvents;
import dev.ligeiro.dispatcher.attempt.EndpointStore;
import dev.ligeiro.dispatcher.attempt.ViewProperties;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.dispatcher.lane.LaneProperties;
import dev.ligeiro.message.BookEvent;
import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.Topics;
import dev.ligeiro.support.kafka.DeadLetter;
import dev.ligeiro.support.kafka.IntakeProperties;
import dev.ligeiro.support.work.BatchBytes;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Without what no event of the test needs. */
@SuppressWarnings("NullAway")
class ProcessBatchTest {

    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final TopicPartition PARTITION = new TopicPartition(Topics.EVENTS, 0);
    private static final long LIMIT = 1_000;

    private final BatchBytes partBytes = new BatchBytes(LIMIT, LIMIT);
    private final List<Long> mayAttempt = new ArrayList<>();

    /** With the fault, the events of all tenants of the part were left to the lanes. */
    @Test
    void aPartWhoseEndpointsAreTooLargeIsHalvedAndItsEventsAreStillAttempted() {
        ConsumerBatches consumer = new ConsumerBatches(10);
        consumer.assigned(PARTITION, 0);
        EventBatch batch = consumer.batch(
                LongStream.range(0, 4).mapToObj(ProcessBatchTest::record).toList());

        try (CapturedLogs logs = new CapturedLogs(ProcessBatch.class.getName())) {
            processBatch().process(batch).block(WAIT);
            assertThat(logs.events()).noneMatch(line -> line.getLevel() == Level.WARN);
        }
        assertThat(mayAttempt).containsExactly(0L, 1L, 2L, 3L);
        assertThat(partBytes.limit()).isEqualTo(LIMIT);
    }

    /** It would be a dead letter, because it is no event. */
    @Test
    void whatIsForTheBooksIsSkipped() {
        ConsumerRecord<byte[], byte[]> forBooks = record(0);
        forBooks.headers().remove(EventHeaders.TYPE);
        forBooks.headers().add(EventHeaders.TYPE, EventHeaders.value(BookEvent.Type.REFUND_REQUESTED));
        List<DeadLetter> invalid = new ArrayList<>();

        assertThat(ReceivedEvent.of(List.of(forBooks, record(1)), invalid))
                .extracting(one -> one.record().offset())
                .containsExactly(1L);
        assertThat(invalid).isEmpty();
    }

    private ProcessBatch processBatch() {
        return new ProcessBatch(new OneTenantAtOnce(), null, partBytes, Settings.of(IntakeProperties.class));
    }

    /** Dispatches one event, and refuses several as those of tenants with large endpoints. */
    private final class OneTenantAtOnce extends DispatchEvents {

        private OneTenantAtOnce() {
            super(
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    Clock.systemUTC(),
                    partBytes,
                    Settings.of(ViewProperties.class),
                    Settings.of(LaneProperties.class),
                    Settings.of(WebhookProperties.class));
        }

        @Override
        Mono<Void> dispatch(EventBatch part) {
            return Mono.defer(() -> {
                if (part.records().size() > 1) {
                    return Mono.error(new EndpointStore.TooLarge("endpoints"));
                }
                if (part.mayAttempt(part.records().get(0))) {
                    mayAttempt.add(part.records().get(0).offset());
                }
                return Mono.empty();
            });
        }
    }

    private static ConsumerRecord<byte[], byte[]> record(long offset) {
        ConsumerRecord<byte[], byte[]> record =
                new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, new byte[0], new byte[0]);
        TestEvents.headers(new Tenant(offset + 1), EventType.values()[0]).forEach(record.headers()::add);
        return record;
    }
}
