package dev.ligeiro.processor.rail;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The network between the processors and a rail. The test decides the fate of each call. The network checks what the processors promise
 * to the rail: no more calls at once than it allows, and no submission that begins later than its late-arrival span after it was stored,
 * and none again while an earlier one may still arrive.
 */
final class RailNetwork {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final PaymentRail rail;
    private final TestClock clock;
    private final IntFunction<Fate> fates;
    private final List<Later> later = new ArrayList<>();
    private final Set<UUID> onTheWay = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private int calls;

    /** @param fates the fate of each call by its number, from 1 */
    RailNetwork(PaymentRail rail, TestClock clock, IntFunction<Fate> fates) {
        this.rail = rail;
        this.clock = clock;
        this.fates = fates;
    }

    /** What becomes of a call. */
    enum Fate {
        /** As the rail answers: within the batch if it answers at once. */
        ANSWERED,
        /** The answer comes as a command. */
        ANSWERED_AS_A_COMMAND,
        /** The rail is busy: it does not start a submission. An inquiry is not answered. */
        NOT_STARTED,
        /** The call is done, and no answer comes. */
        ANSWER_LOST,
        /** The call never arrives. */
        REQUEST_LOST,
        /** The call ends as unknown, and then arrives as late as the rail allows. */
        ARRIVES_LATE
    }

    int calls() {
        return calls;
    }

    /** What the processors have done against their promises. */
    List<String> violations() {
        return violations;
    }

    Line line() {
        return new Line();
    }

    /** When the next delayed call or answer arrives. */
    Optional<Instant> nextArrival() {
        return later.stream().map(Later::at).min(Comparator.naturalOrder());
    }

    /** Lets arrive what has arrived by now. */
    void arrive() {
        List<Later> arrived =
                later.stream().filter(one -> !one.at().isAfter(clock.instant())).toList();
        later.removeAll(arrived);
        arrived.forEach(one -> one.action().run());
    }

    /** Lets something happen when all calls of now have long been due again. */
    void muchLater(Runnable action) {
        later.add(new Later(after(rail.facts().lateArrival().multipliedBy(3)), action));
    }

    private record Later(Instant at, Runnable action) {}

    /** The connection of one processor. What is on it is lost when the processor crashes. */
    final class Line extends WrappedRail {

        private final Deque<Runnable> answers = new ArrayDeque<>();
        private final Map<String, Integer> inFlight = new HashMap<>();

        private Line() {
            super(rail);
        }

        boolean hasAnswer() {
            return !answers.isEmpty();
        }

        /** Delivers the next answer to the processor. */
        void deliver() {
            answers.remove().run();
        }

        @Override
        protected CompletableFuture<RailOutcome> call(
                RailCallKind kind, Transaction transaction, @Nullable Refund refund) {
            boolean submits = kind == RailCallKind.SUBMIT;
            UUID id = refund == null ? transaction.id().value() : refund.id().value();
            if (submits && (refund != null || transaction.operation() == Operation.CASHOUT)) {
                requireSubmittable(transaction, refund == null ? null : refund.id());
            }
            return call(new Call(transaction, id, submits, () -> pass(kind, transaction, refund)));
        }

        private CompletableFuture<RailOutcome> call(Call call) {
            String account = rail.account(call.transaction());
            int atOnce = inFlight.merge(account, 1, Integer::sum);
            if (atOnce > rail.facts().callsAtOnceMax()) {
                violations.add("calls at once: " + atOnce + " (expected: <= "
                        + rail.facts().callsAtOnceMax() + ")");
            }
            try {
                return answer(fates.apply(++calls), call)
                        .whenComplete((outcome, fault) -> inFlight.merge(account, -1, Integer::sum));
            } catch (AssertionError violation) {
                // the processor takes it for an unknown outcome
                violations.add(String.valueOf(violation.getMessage()));
                throw violation;
            }
        }

        private CompletableFuture<RailOutcome> answer(Fate fate, Call call) {
            CompletableFuture<RailOutcome> answer = new CompletableFuture<>();
            Runnable timeOut = () -> answer.complete(new RailOutcome.Unknown());
            switch (fate) {
                case ANSWERED -> {
                    return call.action().get();
                }
                case ANSWERED_AS_A_COMMAND -> {
                    RailOutcome outcome = call.done();
                    answers.add(() -> answer.complete(outcome));
                }
                case NOT_STARTED -> {
                    RailOutcome busy = call.submits() ? new RailOutcome.NotStarted() : new RailOutcome.Unknown();
                    answers.add(() -> answer.complete(busy));
                }
                case ANSWER_LOST -> {
                    call.done();
                    answers.add(timeOut);
                }
                case REQUEST_LOST -> answers.add(timeOut);
                case ARRIVES_LATE -> {
                    sendLate(call);
                    answers.add(timeOut);
                }
            }
            return answer;
        }

        private void requireSubmittable(Transaction transaction, @Nullable RefundId refund) {
            RailFacts facts = rail.facts();
            Instant since = transaction.railCall(refund).orElseThrow().since();
            if (clock.instant().isAfter(since.plus(facts.lateArrival()))) {
                violations.add("submitted at " + clock.instant() + " (expected: at most " + facts.lateArrival()
                        + " after the submission was stored at " + since + ")");
            }
            UUID id = refund == null ? transaction.id().value() : refund.value();
            if (facts.inquiry() == RailFacts.Inquiry.BY_ID && onTheWay.contains(id)) {
                violations.add("submitted again at " + clock.instant()
                        + " (expected: not before the earlier one, stored" + " before " + since + ", has arrived)");
            }
        }
    }

    private void sendLate(Call call) {
        if (call.submits()) {
            onTheWay.add(call.id());
        }
        later.add(new Later(after(rail.facts().lateArrival()), () -> {
            onTheWay.remove(call.id());
            call.done();
        }));
    }

    private Instant after(Duration span) {
        return clock.instant().plus(span);
    }

    /** @param id the id that the rail gets */
    private record Call(
            Transaction transaction, UUID id, boolean submits, Supplier<CompletableFuture<RailOutcome>> action) {

        RailOutcome done() {
            return action.get()
                    .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .join();
        }
    }
}
