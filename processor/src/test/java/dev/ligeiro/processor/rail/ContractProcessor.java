package dev.ligeiro.processor.rail;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.processor.decide.CommandRun;
import dev.ligeiro.processor.decide.GuardVerdict;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A processor of a {@link ContractWorld}: the steps of {@code ProcessCommands} with the real decisions and the real
 * {@link Rails}, without brokers. It may crash between each two steps.
 */
final class ContractProcessor {

    private final ContractWorld world;
    private final RailNetwork.Line line;
    private final Rails rails;
    private boolean crashed;
    private int offset;

    ContractProcessor(ContractWorld world) {
        this.world = world;
        this.line = world.network.line();
        this.rails = new Rails(
                List.of(line),
                new SharedRails(List.of()),
                new RestoreProperties(world.restoredAt()),
                new SimpleMeterRegistry(),
                world.clock);
        this.offset = world.committed();
    }

    /** What it did so far stays, answers that it waits for are lost. */
    void crash() {
        crashed = true;
    }

    /** Processes the next commands or receives the next answer; false if there is none. */
    boolean work() {
        if (offset < world.commands.size()) {
            int end = Math.min(world.commands.size(), offset + world.batchMax());
            process(List.copyOf(world.commands.subList(offset, end)));
            return true;
        }
        if (line.hasAnswer()) {
            world.step();
            line.deliver();
            return true;
        }
        return false;
    }

    private void process(List<TransactionCommand> commands) {
        Map<TransactionId, List<TransactionCommand>> groups = Batch.byTransaction(commands);
        Batch batch = Batch.begin(
                groups,
                world.load(Batch.toLoad(groups, rails::has)),
                new Batch.Rules(rails::facts, cashout -> GuardVerdict.PASSED, Set.of(), Map.of(), world.nextSecret()),
                now());
        boolean isFirst = true;
        while (!batch.isComplete()) {
            world.step(isFirst);
            isFirst = false;
            Batch decided = batch.decide(now());
            Batch written = decided.written(world.write(decided.updates()));
            world.step();
            batch = call(written);
        }
        world.step(isFirst);
        world.report(batch);
        world.step();
        offset += commands.size();
        world.commit(offset);
    }

    private Batch call(Batch batch) {
        Instant askedAt = now();
        Map<TransactionId, RailOutcome> atOnce = new HashMap<>();
        for (CommandRun run : batch.pendingRailCalls()) {
            var request = Objects.requireNonNull(run.railRequest());
            CompletableFuture<RailOutcome> outcome = rails.ask(request, run.stored());
            world.step();
            if (outcome.isDone()) {
                atOnce.put(run.id(), outcome.join());
            } else {
                outcome.thenApply(run.answering(askedAt)).thenAccept(this::publish);
            }
        }
        return batch.called(atOnce, askedAt);
    }

    private void publish(TransactionCommand.RailAnswer answer) {
        if (!crashed) {
            world.publish(answer);
        }
    }

    private Instant now() {
        return world.clock.instant();
    }
}
