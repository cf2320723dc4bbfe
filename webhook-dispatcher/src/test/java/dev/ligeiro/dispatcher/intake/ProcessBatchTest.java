package dev.ligeiro.dispatcher.intake;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.ligeiro.dispatcher.TestEvents;
import dev.ligeiro.dispatcher.attempt.EndpointStore;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.dispatcher.lane.LaneProperties;
import dev.ligeiro.message.BookEvent;
import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.Topics;
import dev.ligeiro.support.kafka.BatchSender;
import dev.ligeiro.support.kafka.DeadLetters;
import dev.ligeiro.support.kafka.IntakeProperties;
import dev.ligeiro.support.work.BatchBytes;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Tenant;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.springframework.beans.BeanUtils;
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
        ConsumerBatches consumer = new ConsumerBatches(10);
        consumer.assigned(PARTITION, 0);
        ConsumerRecord<byte[], byte[]> forBooks = record(0);
        forBooks.headers().remove(EventHeaders.TYPE);
        forBooks.headers().add(EventHeaders.TYPE, EventHeaders.value(BookEvent.Type.REFUND_REQUESTED));

        processBatch().process(consumer.batch(List.of(forBooks, record(1)))).block(WAIT);

        assertThat(mayAttempt).containsExactly(1L);
    }

    private ProcessBatch processBatch() {
        BatchSender sender = instance(BatchSender.class, new Object[] {null});
        return new ProcessBatch(
                new OneTenantAtOnce(),
                instance(DeadLetters.class, sender, new SimpleMeterRegistry(), "events", List.of()),
                partBytes,
                Settings.of(IntakeProperties.class));
    }

    @SuppressWarnings("unchecked")
    private static <T> T instance(Class<T> type, Object... arguments) {
        return (T) BeanUtils.instantiateClass(type.getDeclaredConstructors()[0], arguments);
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
                    Clock.systemUTC(),
                    partBytes,
                    Settings.of(LaneProperties.class),
                    Settings.of(WebhookProperties.class));
        }

        @Override
        Mono<Void> dispatch(EventBatch part, List<ReceivedEvent> received) {
            return Mono.defer(() -> {
                if (received.size() > 1) {
                    return Mono.error(new EndpointStore.TooLarge("endpoints"));
                }
                if (part.mayAttempt(received.get(0).record())) {
                    mayAttempt.add(received.get(0).record().offset());
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
