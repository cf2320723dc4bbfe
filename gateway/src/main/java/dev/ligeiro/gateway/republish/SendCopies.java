package dev.ligeiro.gateway.republish;

import dev.ligeiro.gateway.publish.CausedCommand;
import dev.ligeiro.gateway.publish.CommandPublisher;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.TransactionCommand;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Sends copies of the commands of a few unaccepted transactions. The progress is saved before they are sent: after a crash between the
 * two, nothing is sent twice at once, and the transactions are open, so their turn comes again.
 */
@Component
class SendCopies {

    private static final Logger LOG = LoggerFactory.getLogger(SendCopies.class);
    private static final Duration CONFIRM_MAX = Duration.ofSeconds(25);

    private final ProgressStore store;
    private final CommandPublisher publisher;
    private final RepublishMetrics metrics;
    private final Clock clock;

    SendCopies(ProgressStore store, CommandPublisher publisher, RepublishMetrics metrics, Clock clock) {
        this.store = store;
        this.publisher = publisher;
        this.metrics = metrics;
        this.clock = clock;
    }

    /**
     * The progress after it; completes when Kafka has acknowledged all copies. A transaction that cannot be decoded gets a log line instead
     * of a copy. With no transactions only the progress is saved.
     */
    Mono<Progress> send(List<Unaccepted> unaccepted, Progress progress) {
        Progress next =
                progress.republish(unaccepted.stream().map(Unaccepted::id).toList(), clock.instant());
        return store.save(next)
                .doOnSuccess(saved -> metrics.open(next))
                .then(Mono.defer(() -> {
                    reportUndecodable(unaccepted);
                    return publish(unaccepted.stream()
                            .flatMap(each -> each.transaction().stream())
                            .map(transaction ->
                                    new CausedCommand(new TransactionCommand.Process(transaction), Origin.NONE))
                            .toList());
                }))
                .thenReturn(next);
    }

    private void reportUndecodable(List<Unaccepted> unaccepted) {
        unaccepted.stream().filter(each -> each.transaction().isEmpty()).forEach(each -> {
            metrics.undecodable();
            LOG.atWarn()
                    .addKeyValue("event.action", "transaction_undecodable")
                    .addKeyValue("transaction_id", each.id())
                    .log(
                            "An unaccepted transaction cannot be decoded and is not published again; it is tried again later");
        });
    }

    private Mono<Void> publish(List<CausedCommand> commands) {
        if (commands.isEmpty()) {
            return Mono.empty();
        }
        return publisher.publishAll(commands).timeout(CONFIRM_MAX).doOnSuccess(confirmed -> {
            metrics.republished(commands.size());
            LOG.atInfo()
                    .addKeyValue("event.action", "republished")
                    .addKeyValue("commands", commands.size())
                    .log("Unaccepted transactions were published again");
        });
    }
}
