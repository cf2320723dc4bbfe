package dev.ligeiro.desk.audit;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.audit.AuditLink.Proven;
import dev.ligeiro.desk.transaction.DecodeEach;
import dev.ligeiro.message.Topics;
import dev.ligeiro.store.CollectionNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends the links of the audit with their entries to a topic that outlives MongoDB's content, if a setting says so. An entry stays marked in
 * MongoDB until Kafka has acknowledged its links, so an outage of Kafka, a stop or a crash delays links and loses none; a link may be sent
 * twice. No request waits for it.
 */
@Component
@EnableScheduling
@ConditionalOnBooleanProperty("ligeiro.kafka.audit-topic")
class AuditPublisher {

    private static final Logger LOG = LoggerFactory.getLogger(AuditPublisher.class);
    /** With bodies of 64 KiB at most. */
    private static final int ENTRIES_MAX = 100;

    private static final Duration READ_MAX = Duration.ofSeconds(5);
    private static final long CONFIRMATION_SECONDS_MAX = 30;

    private final MongoTemplate mongo;
    private final KafkaTemplate<byte[], byte[]> kafka;
    private final JsonMapper json;

    AuditPublisher(MongoTemplate mongo, KafkaTemplate<byte[], byte[]> kafka, JsonMapper json) {
        this.mongo = mongo;
        this.kafka = kafka;
        this.json = json;
    }

    @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.SECONDS)
    void publish() {
        try {
            List<AuditEntry> unsent = mongo
                    .find(
                            query(where("unsent").is(true))
                                    .with(Sort.by(Sort.Direction.ASC, "_id"))
                                    .limit(ENTRIES_MAX)
                                    .maxTime(READ_MAX),
                            Document.class,
                            CollectionNames.ADMIN_AUDIT)
                    .stream()
                    .flatMap(DecodeEach.of(CollectionNames.ADMIN_AUDIT, one -> mongo.getConverter()
                            .read(AuditEntry.class, one)))
                    .toList();
            CompletableFuture.allOf(unsent.stream()
                            .flatMap(AuditPublisher::links)
                            .sorted(Comparator.comparingLong(
                                    stored -> stored.proven.link().number()))
                            .map(this::send)
                            .toArray(CompletableFuture<?>[]::new))
                    .orTimeout(CONFIRMATION_SECONDS_MAX, TimeUnit.SECONDS)
                    .join();
            unsent.forEach(this::sent);
        } catch (RuntimeException away) {
            LOG.atWarn()
                    .addKeyValue("event.action", "audit_waits")
                    .addKeyValue(
                            "cause",
                            NestedExceptionUtils.getMostSpecificCause(away)
                                    .getClass()
                                    .getSimpleName())
                    .log("Kafka has not confirmed links of the audit; the desk tries again");
        }
    }

    /** The value of a record. */
    private record Stored(@JsonUnwrapped Proven proven, AuditEntry entry, @Nullable UUID merchantId) {}

    private static Stream<Stored> links(AuditEntry entry) {
        return Stream.of(Proven.begun(entry), Proven.ended(entry))
                .flatMap(Stream::ofNullable)
                .map(proven -> new Stored(proven, entry, entry.merchantId()));
    }

    private CompletableFuture<?> send(Stored stored) {
        byte[] key = stored.proven.link().chain().toString().getBytes(StandardCharsets.US_ASCII);
        return kafka.send(Topics.AUDIT, key, json.writeValueAsBytes(stored));
    }

    /** An entry that has ended meanwhile stays marked: its second link is not sent yet. */
    private void sent(AuditEntry entry) {
        String ended = entry.ended() == null ? null : entry.ended().hash();
        mongo.updateFirst(
                query(where("_id").is(entry.id()).and("ended.hash").is(ended)),
                new Update().unset("unsent"),
                AuditEntry.class);
    }
}
