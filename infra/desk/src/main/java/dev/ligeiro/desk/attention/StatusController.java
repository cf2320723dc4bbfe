package dev.ligeiro.desk.attention;

import com.mongodb.ReadPreference;
import dev.ligeiro.desk.attention.Alerts.Alert;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.kafka.GroupLag;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.record.DeadLetterController;
import dev.ligeiro.desk.record.DeadLetterController.DeadLetterTopic;
import dev.ligeiro.message.Topics;
import dev.ligeiro.transaction.UuidV7;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.dao.DataAccessException;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;

/** The open work at a glance. It never fails: what MongoDB, Kafka or Alertmanager does not tell in time is null. */
@RestController
@Tag(name = "status")
public class StatusController {

    private static final Duration QUERY_MAX = Duration.ofSeconds(2);

    private final MongoTemplate mongo;
    private final Alerts alerts;
    private final Recent<OfKafka> kafka;
    private final Clock clock;

    StatusController(
            MongoTemplate mongo,
            Alerts alerts,
            DeadLetterController deadLetters,
            GroupLag lag,
            Clock clock,
            @Value("${ligeiro.lag.processor-group}") String processors,
            @Value("${ligeiro.lag.dispatcher-group}") String dispatchers,
            @Value("${ligeiro.books.consumer-group}") String books) {
        this.mongo = mongo;
        this.alerts = alerts;
        this.clock = clock;
        this.kafka = new Recent<>(() -> {
            Map<String, Double> seconds = new TreeMap<>();
            Map.of(processors, Topics.COMMANDS, dispatchers, Topics.EVENTS, books, Topics.EVENTS)
                    .forEach((group, topic) -> seconds.put(
                            group, lag.of(group, topic, clock.instant()).toMillis() / 1e3));
            return new OfKafka(
                    seconds,
                    Map.of(
                            OpenWork.DEAD_COMMANDS,
                            deadLetters.open(DeadLetterTopic.COMMANDS),
                            OpenWork.DEAD_EVENTS,
                            deadLetters.open(DeadLetterTopic.EVENTS)));
        });
    }

    private record OfKafka(Map<String, Double> lag, Map<OpenWork, DeadLetterController.Open> dead) {}

    /**
     * How much of something waits.
     *
     * @param more whether there are more than the counted ones
     * @param oldestSeconds the age of the oldest one; null if there is none
     */
    public record Count(long count, boolean more, @Nullable Long oldestSeconds) {

        static Count of(long count, boolean more, @Nullable Instant oldest, Instant now) {
            return new Count(
                    count,
                    more,
                    oldest == null
                            ? null
                            : Math.max(0, Duration.between(oldest, now).toSeconds()));
        }

        public Duration age() {
            return Duration.ofSeconds(oldestSeconds == null ? 0 : oldestSeconds);
        }
    }

    /**
     * @param open null for a kind while MongoDB or Kafka, which knows it, does not answer
     * @param lag the seconds by which each consumer group is behind; null while Kafka does not answer
     * @param alerts the active ones of Alertmanager; null if no address is set, or while it does not answer
     */
    public record Status(
            Instant asOf,
            Map<OpenWork, @Nullable Count> open,
            @Nullable Map<String, Double> lag,
            boolean alertmanager,
            @Nullable List<Alert> alerts) {}

    @GetMapping("/admin/status")
    @Needs(Role.READ)
    @Operation(summary = "The open work with numbers and ages, the lag of the consumer groups, and the active alerts")
    public Status show() {
        Instant now = clock.instant();
        OfKafka ofKafka = kafka.get();
        Map<OpenWork, @Nullable Count> open = new EnumMap<>(OpenWork.class);
        for (OpenWork each : OpenWork.values()) {
            DeadLetterController.Open dead = ofKafka == null ? null : ofKafka.dead.get(each);
            if (each.collection != null) {
                open.put(each, count(each, each.collection, now));
            } else {
                open.put(each, dead == null ? null : Count.of(dead.count(), dead.more(), dead.oldest(), now));
            }
        }
        return new Status(now, open, ofKafka == null ? null : ofKafka.lag, alerts.isSet(), alerts.active());
    }

    /** The first page: the open work, each line with the way to its list. */
    @GetMapping("/console")
    @Needs(Role.READ)
    ModelAndView page() {
        return new ModelAndView("attention/page", "status", show());
    }

    /** Up to 100. */
    private @Nullable Count count(OpenWork kind, String collection, Instant now) {
        Query query = Query.query(kind.which(now))
                .with(Sort.by(kind.since))
                .limit(Slice.ITEMS_MAX + 1)
                .maxTime(QUERY_MAX)
                .withReadPreference(ReadPreference.secondaryPreferred());
        query.fields().include(kind.since);
        try {
            List<Document> found = mongo.find(query, Document.class, collection);
            Object first = found.isEmpty() ? null : found.get(0).get(kind.since);
            return Count.of(Math.min(found.size(), Slice.ITEMS_MAX), found.size() > Slice.ITEMS_MAX, time(first), now);
        } catch (DataAccessException away) {
            return null;
        }
    }

    private static @Nullable Instant time(@Nullable Object value) {
        if (value instanceof UUID id) {
            return Instant.ofEpochMilli(UuidV7.epochMilli(id));
        }
        return value instanceof Date date ? date.toInstant() : null;
    }
}
