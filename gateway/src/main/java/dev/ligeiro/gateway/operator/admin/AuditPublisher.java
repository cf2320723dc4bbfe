package dev.ligeiro.gateway.operator.admin;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.message.Topics;
import dev.ligeiro.support.work.RequestBatcher;
import jakarta.annotation.PreDestroy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends each stored link of the audit with its entry to a topic that outlives MongoDB's content, if a setting says so. No request waits for
 * it: while Kafka is away, links wait in this process, in their order.
 */
@Component
class AuditPublisher {

    private static final Logger LOG = LoggerFactory.getLogger(AuditPublisher.class);
    /** With bodies of 64 KiB at most. */
    private static final int WAITING_MAX = 1_000;

    private static final Duration RETRY_MIN = Duration.ofMillis(500);
    private static final Duration RETRY_MAX = Duration.ofSeconds(10);
    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private final KafkaTemplate<byte[], byte[]> kafka;
    private final boolean enabled;
    private final RequestBatcher<Stored, Void> links;
    private final AtomicInteger waiting = new AtomicInteger();

    AuditPublisher(KafkaTemplate<byte[], byte[]> kafka, @Value("${ligeiro.kafka.audit-topic}") boolean enabled) {
        this.kafka = kafka;
        this.enabled = enabled;
        this.links = new RequestBatcher<>(
                1, 1, WAITING_MAX, Duration.ZERO, batch -> send(batch.get(0)).thenReturn(AuditStore.DONE));
    }

    /** Called in the order of the chain. */
    void publish(AuditEntry entry, AuditLink link, String digest) {
        if (!enabled) {
            return;
        }
        waiting.incrementAndGet();
        links.submit(new Stored(link, digest, entry, entry.merchantId()))
                .doFinally(end -> waiting.decrementAndGet())
                .subscribe(sent -> {}, failure -> line(LOG.atError(), "audit_not_sent", link, failure)
                        .log("A link of the audit is in MongoDB only"));
    }

    @PreDestroy
    void stop() {
        int left = waiting.get();
        if (left > 0) {
            LOG.atError()
                    .addKeyValue("event.action", "audit_not_sent")
                    .addKeyValue("count", left)
                    .log(
                            "The gateway stops; Kafka has not confirmed the last links of the audit, which are in MongoDB");
        }
    }

    private Mono<Void> send(Stored stored) {
        byte[] key = stored.link.chain().toString().getBytes(StandardCharsets.US_ASCII);
        byte[] value = JSON.writeValueAsBytes(stored);
        return Mono.fromFuture(() -> kafka.send(Topics.AUDIT, key, value))
                // a producer blocks while it looks for a broker
                .subscribeOn(Schedulers.boundedElastic())
                .retryWhen(Retry.backoff(Long.MAX_VALUE, RETRY_MIN)
                        .maxBackoff(RETRY_MAX)
                        .doBeforeRetry(retry -> line(LOG.atWarn(), "audit_waits", stored.link, retry.failure())
                                .addKeyValue("attempt", retry.totalRetries() + 1)
                                .log("Kafka has not taken a link of the audit; the gateway tries again")))
                .then();
    }

    private static LoggingEventBuilder line(
            LoggingEventBuilder line, String action, AuditLink link, Throwable failure) {
        return line.addKeyValue("event.action", action)
                .addKeyValue("chain", link.chain())
                .addKeyValue("number", link.number())
                .addKeyValue(
                        "cause",
                        NestedExceptionUtils.getMostSpecificCause(failure)
                                .getClass()
                                .getSimpleName());
    }

    /** The value of a record. */
    private record Stored(@JsonUnwrapped AuditLink link, String digest, AuditEntry entry, @Nullable UUID merchantId) {}
}
