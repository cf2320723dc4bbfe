package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.processor.decide.CommandRun;
import dev.ligeiro.processor.decide.Conflicts;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The routing table changes while money is under way: every later call goes to the rail that got the first one. The rails, the decisions and
 * the steps are those of a processor; the store is a variable.
 */
class RouteChangeTest {

    private RailOutcome answer = new RailOutcome.Unknown();
    private final FixedRail bank = new FixedRail("bank", () -> CompletableFuture.completedFuture(answer));
    private final FixedRail other = FixedRail.answering("other", RailOutcome.Settled.asAgreed());
    private final TestClock clock = TestClock.frozen();

    private Transaction stored = created("bank");

    @Test
    void anInquiryAndATakeoverGoToTheRailOfTheSubmission() {
        process(rails("bank", bank, other), new TransactionCommand.Process(stored));
        Rails changed = rails("other", bank, other);

        dueCheck(changed, FixedRail.LATE_ARRIVAL.multipliedBy(2));
        answer = new RailOutcome.NotFound();
        dueCheck(changed, Duration.ofMinutes(5));
        answer = RailOutcome.Settled.asAgreed();
        dueCheck(changed, Duration.ofMinutes(5));

        assertThat(bank.calls).containsExactly("submit", "inquire", "inquire", "submit", "inquire");
        assertThat(stored.status()).isEqualTo(Status.PAID);
        assertThat(other.calls).isEmpty();
    }

    @Test
    void aRefundGoesToTheRailThatHasTheMoney() {
        stored = Transactions.like(LiveTransactions.of(Transactions.goldenCashin()))
                .createdAs(TransactionId.at(clock.instant()))
                .rail("bank")
                .build()
                .moveTo(Status.PAID, clock.instant(), Source.RAIL);
        Rails changed = rails("other", bank, other);

        process(
                changed,
                new TransactionCommand.Change(
                        stored.id(),
                        new ChangeRef(UUID.randomUUID(), null),
                        new ChangeAction.Refund(null, null, null)));
        answer = RailOutcome.Settled.asAgreed();
        dueCheck(changed, Duration.ofMinutes(5));

        assertThat(bank.calls).hasSize(2).first().asString().startsWith("refund ");
        assertThat(bank.calls).last().asString().startsWith("inquireRefund ");
        assertThat(stored.status()).isEqualTo(Status.REFUND);
        assertThat(other.calls).isEmpty();
    }

    @Test
    void aCashoutWaitsWhileItsRailIsRemovedAndIsAskedAboutWhenItIsBack() {
        process(rails("bank", bank, other), new TransactionCommand.Process(stored));
        Rails removed = rails("other", other);

        dueCheck(removed, FixedRail.LATE_ARRIVAL.multipliedBy(2));
        dueCheck(removed, Duration.ofMinutes(5));
        assertThat(stored.status()).isEqualTo(Status.IN_PROCESS);
        assertThat(other.calls).isEmpty();

        answer = RailOutcome.Settled.asAgreed();
        dueCheck(rails("other", bank, other), Duration.ofMinutes(5));
        assertThat(bank.calls).containsExactly("submit", "inquire");
        assertThat(stored.status()).isEqualTo(Status.PAID);
    }

    @Test
    void anOldDocumentWithoutTheNameGoesWhereTheTableSays() {
        stored = created(null);
        process(rails("bank", bank, other), new TransactionCommand.Process(stored));

        dueCheck(rails("bank", bank, other), FixedRail.LATE_ARRIVAL.multipliedBy(2));
        assertThat(bank.calls).containsExactly("submit", "inquire");
        assertThat(stored.terms().rail()).isNull();

        dueCheck(rails("other", bank, other), Duration.ofMinutes(5));
        assertThat(bank.calls).hasSize(2);
        assertThat(other.calls).containsExactly("inquire");
    }

    private Transaction created(@Nullable String rail) {
        return Transactions.like(LiveTransactions.of(Transactions.goldenCashout()))
                .createdAs(TransactionId.at(clock.instant()))
                .rail(rail)
                .build();
    }

    private Rails rails(String route, FixedRail... rails) {
        RailProperties table = new RailProperties(List.of(new RailProperties.Route(route, null, null)));
        return new Rails(new RailRoutes(List.of(rails), table), new SimpleMeterRegistry(), clock);
    }

    private void dueCheck(Rails rails, Duration after) {
        clock.move(after);
        process(rails, new TransactionCommand.DueCheck(stored.id()));
    }

    private void process(Rails rails, TransactionCommand command) {
        Batch batch = Batch.begin(
                Batch.byTransaction(List.of(command)), Map.of(stored.id(), stored), rails::facts, clock.instant());
        assertThat(batch.unprocessable()).isEmpty();
        while (!batch.isComplete()) {
            Batch decided = batch.decide(clock.instant());
            decided.updates().forEach(update -> stored = update.after());
            Batch written = decided.written(Conflicts.NONE);
            Map<TransactionId, RailOutcome> answers = new HashMap<>();
            for (CommandRun run : written.pendingRailCalls()) {
                answers.put(
                        run.id(),
                        rails.ask(Objects.requireNonNull(run.railRequest()), run.stored())
                                .join());
            }
            batch = written.called(answers, clock.instant());
        }
    }
}
