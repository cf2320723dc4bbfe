package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.operator.records.SelectDeadLetters.Selected;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Redrives dead letters to their topic, and remembers those that Kafka has acknowledged. If the gateway dies between the two, or if
 * two calls run at the same time, a record may be sent twice. The second copy has no effect, because commands and events are idempotent.
 */
@Component
class RedriveDeadLetters {

    private static final Logger LOG = LoggerFactory.getLogger(RedriveDeadLetters.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final SelectDeadLetters select;
    private final DeadLetterSender sender;
    private final RedrivenStore store;
    private final Clock clock;

    RedriveDeadLetters(SelectDeadLetters select, DeadLetterSender sender, RedrivenStore store, Clock clock) {
        this.select = select;
        this.sender = sender;
        this.store = store;
        this.clock = clock;
    }

    /**
     * The dead letters that were sent; in a dry run those that would be sent. Fails with a problem 422 for unknown ids, with 503 when
     * Kafka has not acknowledged all of them: the acknowledged ones are remembered.
     */
    Mono<Selected> send(RedriveRequest request) {
        Mono<Selected> selected = select.select(request.topic(), request.selection());
        Mono<Selected> flow = request.dryRun() ? selected : selected.flatMap(found -> send(request.topic(), found));
        // not canceled with its request: what Kafka has acknowledged must be remembered
        return Mono.fromFuture(flow::toFuture, true);
    }

    private Mono<Selected> send(DeadLetterTopic topic, Selected selected) {
        return sender.send(topic, selected.open())
                .flatMap(confirmed -> store.remember(topic, confirmed, clock.instant())
                        .then(Mono.fromSupplier(() -> report(topic, selected, confirmed))));
    }

    private static Selected report(DeadLetterTopic topic, Selected selected, List<DeadLetter> confirmed) {
        int unconfirmed = selected.open().size() - confirmed.size();
        LOG.atInfo()
                .addKeyValue("event.action", "dead_letters_redriven")
                .addKeyValue("topic", topic.code())
                .addKeyValue("records", confirmed.size())
                .addKeyValue("unconfirmed", unconfirmed)
                .log("Dead letters were redriven");
        if (unconfirmed > 0) {
            throw Problem.unavailable(
                    "Kafka has confirmed " + confirmed.size() + " of "
                            + selected.open().size() + " dead letters; call again to send the others",
                    RETRY_AFTER);
        }
        return selected;
    }
}
