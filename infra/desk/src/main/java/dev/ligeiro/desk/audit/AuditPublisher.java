package dev.ligeiro.desk.audit;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.message.Topics;
import jakarta.annotation.PreDestroy;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;
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

    private static final long RETRY_AFTER_MILLIS_MIN = 500;
    private static final long RETRY_AFTER_MILLIS_MAX = 10_000;
    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private final KafkaTemplate<byte[], byte[]> kafka;
    private final boolean enabled;
    /** One thread, which starts with the first link and ends when it has nothing to send. */
    private final ThreadPoolExecutor links = new ThreadPoolExecutor(
            1,
            1,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            task -> new Thread(task, "audit-publisher"));

    AuditPublisher(KafkaTemplate<byte[], byte[]> kafka, @Value("${ligeiro.kafka.audit-topic}") boolean enabled) {
        this.kafka = kafka;
        this.enabled = enabled;
        links.allowCoreThreadTimeOut(true);
    }

    /** Called in the order of the chain. */
    void publish(AuditEntry entry, AuditLink link, String digest) {
        if (!enabled) {
            return;
        }
        Stored stored = new Stored(link, digest, entry, entry.merchantId());
        try {
            links.execute(() -> send(stored));
        } catch (RejectedExecutionException full) {
            line(LOG.atError(), "audit_not_sent", link, full).log("A link of the audit is in MongoDB only");
        }
    }

    /** Tries again until Kafka has it or the desk stops. */
    private void send(Stored stored) {
        byte[] key = stored.link.chain().toString().getBytes(StandardCharsets.US_ASCII);
        byte[] value = JSON.writeValueAsBytes(stored);
        long pause = RETRY_AFTER_MILLIS_MIN;
        while (true) {
            try {
                kafka.send(Topics.AUDIT, key, value).get();
                return;
            } catch (ExecutionException | KafkaException away) {
                line(LOG.atWarn(), "audit_waits", stored.link, away)
                        .log("Kafka has not taken a link of the audit; the desk tries again");
            } catch (InterruptedException stop) {
                line(LOG.atError(), "audit_not_sent", stored.link, stop).log("A link of the audit is in MongoDB only");
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pause));
            pause = Math.min(2 * pause, RETRY_AFTER_MILLIS_MAX);
        }
    }

    @PreDestroy
    void stop() {
        int left = links.shutdownNow().size();
        if (left > 0) {
            LOG.atError()
                    .addKeyValue("event.action", "audit_not_sent")
                    .addKeyValue("count", left)
                    .log("The desk stops; Kafka has not confirmed the last links of the audit, which are in MongoDB");
        }
    }

    private static LoggingEventBuilder line(
            LoggingEventBuilder line, String action, AuditLink link, Exception failure) {
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
