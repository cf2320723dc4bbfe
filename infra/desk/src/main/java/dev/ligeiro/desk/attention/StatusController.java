package dev.ligeiro.desk.attention;

import com.mongodb.MongoException;
import dev.ligeiro.desk.attention.Alerts.Alert;
import dev.ligeiro.desk.kafka.GroupLag;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.record.DeadLetterTopic;
import dev.ligeiro.desk.record.DeadLetters;
import dev.ligeiro.message.Topics;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The open work at a glance. It never fails: what MongoDB, Kafka or Alertmanager does not tell in time is null. */
@RestController
@Tag(name = "status")
public class StatusController {

    private final OpenWorkStore open;
    private final Alerts alerts;
    private final Recent<OfKafka> kafka;
    private final Clock clock;

    StatusController(
            OpenWorkStore open,
            Alerts alerts,
            DeadLetters deadLetters,
            GroupLag lag,
            Clock clock,
            @Value("${ligeiro.lag.processor-group}") String processors,
            @Value("${ligeiro.lag.dispatcher-group}") String dispatchers,
            @Value("${ligeiro.books.consumer-group}") String books) {
        this.open = open;
        this.alerts = alerts;
        this.clock = clock;
        this.kafka = new Recent<>(() -> {
            Instant now = now();
            Map<String, Double> seconds = new TreeMap<>();
            Map.of(processors, Topics.COMMANDS, dispatchers, Topics.EVENTS, books, Topics.EVENTS)
                    .forEach((group, topic) ->
                            seconds.put(group, lag.of(group, topic, now).toMillis() / 1e3));
            return new OfKafka(
                    seconds, deadLetters.open(DeadLetterTopic.COMMANDS), deadLetters.open(DeadLetterTopic.EVENTS));
        });
    }

    private record OfKafka(Map<String, Double> lag, DeadLetters.Open commands, DeadLetters.Open events) {}

    /**
     * The open work of each kind, with the age of its oldest item; null while MongoDB or Kafka, which knows the kind, does not answer.
     *
     * @param unknownOutcomes those that have been unknown for longer than 10 minutes
     * @param unaccepted transactions that no processor has accepted for a minute
     */
    public record Open(
            @Nullable OpenWork unknownOutcomes,
            @Nullable OpenWork unmatchedPayments,
            @Nullable OpenWork breaks,
            @Nullable OpenWork approvals,
            @Nullable OpenWork resolutions,
            @Nullable OpenWork deadCommands,
            @Nullable OpenWork deadEvents,
            @Nullable OpenWork failingEndpoints,
            @Nullable OpenWork disabledEndpoints,
            @Nullable OpenWork unaccepted) {}

    /**
     * @param lag the seconds by which each consumer group is behind; null while Kafka does not answer
     * @param alerts the active ones of Alertmanager; null if no address is set, or while it does not answer
     */
    public record Status(
            Instant asOf,
            Open open,
            @Nullable Map<String, Double> lag,
            boolean alertmanager,
            @Nullable List<Alert> alerts) {}

    @GetMapping("/admin/status")
    @Needs(Role.READ)
    @Operation(summary = "The open work with numbers and ages, the lag of the consumer groups, and the active alerts")
    public Status show() {
        Instant now = now();
        OfKafka ofKafka = kafka.get();
        return new Status(
                now,
                new Open(
                        count(open::unknownOutcomes, now),
                        count(open::unmatchedPayments, now),
                        count(open::breaks, now),
                        count(open::approvals, now),
                        count(open::resolutions, now),
                        ofKafka == null ? null : dead(ofKafka.commands, now),
                        ofKafka == null ? null : dead(ofKafka.events, now),
                        count(open::failingEndpoints, now),
                        count(open::disabledEndpoints, now),
                        count(open::unaccepted, now)),
                ofKafka == null ? null : ofKafka.lag,
                alerts.isSet(),
                alerts.active());
    }

    private static @Nullable OpenWork count(Function<Instant, OpenWork> kind, Instant now) {
        try {
            return kind.apply(now);
        } catch (MongoException away) {
            return null;
        }
    }

    private static OpenWork dead(DeadLetters.Open open, Instant now) {
        return OpenWork.of(open.count(), open.more(), open.oldest(), now);
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}
