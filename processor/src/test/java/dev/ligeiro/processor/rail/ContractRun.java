package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.processor.rail.RailNetwork.Fate;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** Scenarios on a rail of their own, from their creation to their end. */
final class ContractRun {

    private final TestClock clock = TestClock.frozen();
    private final String description;
    private final List<RailScenario> scenarios;
    private final RailUnderTest rail;
    private final RailNetwork network;
    private final ContractWorld world;
    private boolean endedUnaware;

    /** @param scenarios the numbers of the contract's scenarios that run at the same time */
    ContractRun(PaymentRailContract contract, IntStream scenarios, String disturbance, IntFunction<Fate> fates) {
        List<RailScenario> all = contract.scenarios();
        this.scenarios = scenarios.mapToObj(all::get).toList();
        this.description = this.scenarios.stream().map(RailScenario::name).toList() + ": " + disturbance;
        this.rail = contract.open(clock);
        this.network = new RailNetwork(rail.rail(), clock, fates);
        this.world = new ContractWorld(rail, clock, network);
        this.scenarios.forEach(world::begin);
    }

    /** @param action is called with the number of each step of a processor, from 1; it may throw a {@link ContractWorld.Crash} */
    ContractRun atEachStep(IntConsumer action) {
        world.atEachStep(action);
        return this;
    }

    /** @param answers the numbers, from 1, of the answers that come as commands and much too late */
    ContractRun lateAnswers(IntPredicate answers) {
        world.lateAnswers(answers);
        return this;
    }

    ContractRun batchMax(IntSupplier commands) {
        world.batchMax(commands);
        return this;
    }

    /** At this step another processor takes over and does everything; afterwards the first one continues, unaware of it. */
    ContractRun takenOverAt(int step) {
        return atEachStep(now -> {
            if (now == step) {
                world.runToTheEnd();
            }
        });
    }

    /**
     * At this step another processor takes over and commits all commands; the first one continues, unaware of it, for {@code steps}, and
     * ends, unless it has committed its own batch by then.
     */
    ContractRun takenOverAndEndedAt(int step, int steps) {
        int[] endsAt = {Integer.MAX_VALUE};
        int[] commits = {0};
        return atEachStep(now -> {
            if (now == step) {
                world.takeOver();
                endsAt[0] = world.steps() + steps;
                commits[0] = world.commits();
            } else if (now == endsAt[0] && world.commits() == commits[0]) {
                endedUnaware = true;
                throw new ContractWorld.Crash(false);
            }
        });
    }

    /** Whether the processor that was taken over ended before it committed its batch. */
    boolean endedUnaware() {
        return endedUnaware;
    }

    /** At this step the processor sleeps for as long as a submission may wait before its call. */
    ContractRun pausedAt(int step) {
        return atEachStep(now -> {
            if (now == step) {
                clock.move(rail.rail().facts().lateArrival());
            }
        });
    }

    String description() {
        return description;
    }

    List<Status> expected() {
        return scenarios.stream().map(RailScenario::ends).toList();
    }

    int calls() {
        return network.calls();
    }

    /** The steps after a change: a disturbance at another one would be the same as at the step before. */
    int[] stepsToDisturb() {
        return IntStream.rangeClosed(1, world.steps())
                .filter(world::isAfterChange)
                .toArray();
    }

    /** Whether a transaction has only been created and processed, so that the gateway's command is all that a restored backup needs. */
    boolean isOnlyProcessed() {
        return scenarios.stream()
                .allMatch(scenario ->
                        scenario.commands().size() == 1 && scenario.whenPaid().isEmpty());
    }

    /** Restores a backup from before the run, and moves the clock. */
    void restore(Duration later) {
        clock.move(later);
        scenarios.forEach(world::restore);
    }

    /** Runs the scenarios and checks what holds after every run. */
    List<End> end() {
        try {
            world.runToTheEnd();
        } catch (RuntimeException | AssertionError fault) {
            throw new AssertionError(description, fault);
        }
        assertThat(network.violations()).as(description).isEmpty();
        assertThat(world.unmatched()).as(description).isEmpty();
        assertThat(world.refused()).as(description).isEmpty();
        return scenarios.stream()
                .map(scenario -> end(world.read(scenario.transaction().id())))
                .toList();
    }

    private End end(Transaction transaction) {
        assertThat(transaction.railCalls()).as(description).isEmpty();
        assertThat(world.announced(transaction.id()))
                .as(description)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, transaction.history().sequence())
                                .boxed()
                                .toList());
        if (transaction.operation() == Operation.CASHOUT) {
            boolean isPaid = transaction.history().lastAt(Status.PAID).isPresent();
            requireMoved(transaction.id().value(), isPaid);
        }
        List<Refund> refunds = transaction.history().refunds();
        refunds.stream()
                .filter(refund -> refund.source() == Source.MERCHANT)
                .forEach(refund -> requireMoved(refund.id().value(), refund.state() == Refund.State.REFUNDED));
        return new End(transaction.status(), refunds.stream().map(Refund::state).toList());
    }

    private void requireMoved(UUID id, boolean moved) {
        assertThat(rail.moved(id)).as(description).isEqualTo(moved ? 1 : 0);
    }

    /** How a scenario ended. */
    record End(Status status, List<Refund.State> refunds) {}
}
