package dev.ligeiro.gateway.republish;

import dev.ligeiro.gateway.publish.CommandPublisher;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Transaction;
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

    /** The progress after it; completes when Kafka has acknowledged all copies. With no transactions only the progress is saved. */
    Mono<Progress> send(List<Transaction> unaccepted, Progress progress) {
        Progress next =
                progress.republish(unaccepted.stream().map(Transaction::id).toList(), clock.instant());
        return store.save(next)
                .doOnSuccess(saved -> metrics.open(next))
                .then(publish(unaccepted))
                .thenReturn(next);
    }

    private Mono<Void> publish(List<Transaction> unaccepted) {
        if (unaccepted.isEmpty()) {
            return Mono.empty();
        }
        List<TransactionCommand.Process> commands =
                unaccepted.stream().map(TransactionCommand.Process::new).toList();
        return publisher.publishAll(commands).timeout(CONFIRM_MAX).doOnSuccess(confirmed -> {
            metrics.republished(commands.size());
            LOG.atInfo()
                    .addKeyValue("event.action", "republished")
                    .addKeyValue("commands", commands.size())
                    .log("Unaccepted transactions were published again");
        });
    }
}
