package dev.ligeiro.processor.intake;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.apply.Origins;
import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.processor.decide.CommandRun;
import dev.ligeiro.processor.rail.RailCommandPublisher;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Component;

/**
 * Makes the rail calls of a batch. An outcome that comes at once is applied in the batch. The others become commands: a slow rail must
 * not delay the batch.
 */
@Component
class CallRails {

    private final Rails rails;
    private final RailCommandPublisher answers;
    private final Clock clock;

    CallRails(Rails rails, RailCommandPublisher answers, Clock clock) {
        this.rails = rails;
        this.answers = answers;
        this.clock = clock;
    }

    Optional<RailFacts> facts(Transaction transaction) {
        return rails.facts(transaction);
    }

    boolean hasRail(Transaction transaction) {
        return rails.has(transaction);
    }

    /** Call it when the batch's changes are stored: a cashout is submitted once its {@code in_process} is durable. */
    Batch call(Batch batch, Origins origins) {
        List<CommandRun> pending = batch.pendingRailCalls();
        if (pending.isEmpty()) {
            return batch;
        }
        Instant askedAt = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        Map<TransactionId, RailOutcome> atOnce = new HashMap<>();
        for (CommandRun run : pending) {
            RailRequest request = Objects.requireNonNull(run.railRequest());
            CompletableFuture<RailOutcome> outcome = rails.ask(request, run.stored());
            if (outcome.isDone()) {
                atOnce.put(run.id(), outcome.join());
            } else {
                answers.publishWhenDone(outcome.thenApply(run.answering(askedAt)), origins.of(run.id()));
            }
        }
        return batch.called(atOnce, askedAt);
    }
}
