package dev.ligeiro.gateway.create;

import dev.ligeiro.gateway.publish.CausedCommand;
import dev.ligeiro.gateway.publish.CommandPublisher;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Publishes the commands of stored transactions. The create does not wait for Kafka, because the sweeper finds a transaction whose command got lost;
 * but it scans each time of creation once. A transaction that is stored late, because this gateway was paused, may be behind the scan:
 * its create succeeds only when Kafka has the command.
 */
@Component
final class PublishCreated {

    /**
     * The sweeper scans a time of creation {@code ligeiro.republish.append-delay-max} (60 s) later at the earliest. The other half of
     * that time is for differences between clocks.
     */
    static final Duration LATE = Duration.ofSeconds(30);

    /** During this time one of the two places for batches is taken. */
    private static final Duration CONFIRM_MAX = Duration.ofSeconds(1);

    private final CommandPublisher publisher;
    private final Clock clock;

    PublishCreated(CommandPublisher publisher, Clock clock) {
        this.publisher = publisher;
        this.clock = clock;
    }

    /**
     * Publishes what a batch has stored. The late transactions fail when Kafka does not confirm their commands.
     *
     * @param origins of the transactions of the batch, in its order
     */
    Mono<InsertStore.Inserted> publish(InsertStore.Inserted inserted, List<Origin> origins) {
        Instant lateBefore = clock.instant().minus(LATE);
        List<CausedCommand> commands = new ArrayList<>(inserted.batch().size());
        boolean isLate = false;
        for (int i = 0; i < inserted.batch().size(); i++) {
            if (inserted.failure(i) == null) {
                Transaction stored = inserted.batch().get(i);
                commands.add(new CausedCommand(new TransactionCommand.Process(stored), origins.get(i)));
                isLate |= stored.createdAt().isBefore(lateBefore);
            }
        }
        if (!isLate) {
            publisher.publishStored(commands);
            return Mono.just(inserted);
        }
        return publisher
                .publishAll(commands)
                .timeout(CONFIRM_MAX)
                .thenReturn(inserted)
                .onErrorResume(failure -> Mono.just(inserted.failCreatedBefore(lateBefore, unconfirmed(failure))));
    }

    /**
     * Publishes old transactions again that no processor has accepted: the late insert of one may have failed here. Kafka is not waited
     * for, so that a repeated create succeeds without Kafka.
     */
    void publishAgain(List<Transaction> holders) {
        Instant lateBefore = clock.instant().minus(LATE);
        List<CausedCommand> waiting = holders.stream()
                .filter(holder -> !holder.accepted() && holder.createdAt().isBefore(lateBefore))
                .map(holder -> new CausedCommand(new TransactionCommand.Process(holder), Origin.NONE))
                .toList();
        if (!waiting.isEmpty()) {
            publisher.publishStored(waiting);
        }
    }

    /** A time-out is answered 503, which says that the transaction may have been stored. */
    private static TimeoutException unconfirmed(Throwable failure) {
        TimeoutException unconfirmed = new TimeoutException("Kafka has not confirmed the command of a late create");
        unconfirmed.initCause(failure);
        return unconfirmed;
    }
}
