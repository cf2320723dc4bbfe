package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.processor.rail.RailNetwork.Fate;
import dev.ligeiro.testing.time.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every rail must pass together with the processor's decisions: each transaction ends, and its money moves exactly once if it was
 * paid and never if it was denied, whatever happens to a call and wherever a processor crashes.
 */
public abstract class PaymentRailContract {

    private static final IntFunction<Fate> ANSWERED = call -> Fate.ANSWERED;
    private static final Executor THREADS = Executors.newFixedThreadPool(4, work -> {
        Thread thread = new Thread(work, "contract");
        thread.setDaemon(true);
        return thread;
    });
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final Duration AFTER_THE_EXPIRY = Duration.ofDays(30);
    private static final int STEPS_UNAWARE_MAX = 5;
    private static final int RANDOM_RUNS = 50;
    private static final int CRASH_ONCE_IN = 12;
    private static final int LATE_ONCE_IN = 6;
    private static final int LOSE_OFFSETS_ONCE_IN = 4;
    private static final int BATCH_MAX = 3;
    private static final int DISTURBED_STEPS_MAX = 100;

    /** A rail that knows no transaction yet. */
    protected abstract RailUnderTest open(TestClock clock);

    /**
     * Each step of a processor is disturbed with one in so many fates of the first call, so that 6 leaves one for each step. The
     * nightly tests leave none out.
     */
    protected int oneFateIn() {
        return 1;
    }

    /** The scenarios to try, with every outcome that the rail has; always the same. */
    protected abstract List<RailScenario> scenarios();

    @Test
    void eachTransactionEndsAsItShould() {
        eachScenario(scenario -> {
            requireExpectedEnds(new ContractRun(this, IntStream.of(scenario), "undisturbed", ANSWERED));
        });
    }

    /** All transactions have the same paying account. */
    @ParameterizedTest
    @EnumSource
    void transactionsAtTheSameTimeDoNotDisturbEachOther(Fate ofEachThirdCall) {
        requireExpectedEnds(new ContractRun(
                this,
                IntStream.range(0, count()),
                ofEachThirdCall + " at each third call",
                call -> call % 3 == 0 ? ofEachThirdCall : Fate.ANSWERED_AS_A_COMMAND));
    }

    @ParameterizedTest
    @EnumSource
    void theFateOfOneCallChangesNothing(Fate fate) {
        eachScenario(scenario -> {
            ContractRun undisturbed = new ContractRun(this, IntStream.of(scenario), "undisturbed", ANSWERED);
            List<ContractRun.End> end = undisturbed.end();
            for (int call = 1; call <= undisturbed.calls(); call++) {
                requireSameEnd(
                        end,
                        new ContractRun(this, IntStream.of(scenario), fate + " at call " + call, only(call, fate)));
            }
        });
    }

    /** The command of the answer waits in Kafka while the rail is asked again. */
    @ParameterizedTest
    @EnumSource
    void anAnswerThatComesMuchTooLateChangesNothing(Fate ofTheFirstCall) {
        IntFunction<Fate> fates = call -> call == 1 ? ofTheFirstCall : Fate.ANSWERED_AS_A_COMMAND;
        eachScenario(scenario -> {
            ContractRun undisturbed = new ContractRun(this, IntStream.of(scenario), "undisturbed", fates);
            List<ContractRun.End> end = undisturbed.end();
            for (int late = 1; late <= undisturbed.calls(); late++) {
                int one = late;
                String what = ofTheFirstCall + " at call 1, answer " + late + " too late";
                ContractRun run = new ContractRun(this, IntStream.of(scenario), what, fates);
                requireSameEnd(end, run.lateAnswers(answer -> answer == one));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aCrashAtAnyStepChangesNothing(Fate ofTheFirstCall) {
        disturbEachStep("crash", ofTheFirstCall, (run, step) -> run.atEachStep(crashAt(step, false)));
    }

    /** When the next processor starts, other calls of the same transactions are due. */
    @ParameterizedTest
    @EnumSource
    void aCrashWithAPauseAtAnyStepChangesNothing(Fate ofTheFirstCall) {
        disturbEachStep(
                "crash with a pause",
                ofTheFirstCall,
                (run, step) -> run.atEachStep(now -> {
                    if (now == step) {
                        throw new ContractWorld.Crash(false, PAUSE);
                    }
                }));
    }

    /** Every command since the first one is processed again. */
    @ParameterizedTest
    @EnumSource
    void aCrashThatLosesTheOffsetsChangesNothing(Fate ofTheFirstCall) {
        disturbEachStep("offsets lost", ofTheFirstCall, (run, step) -> run.atEachStep(crashAt(step, true)));
    }

    /** The first processor sleeps between two steps while another one does everything, then it continues. */
    @ParameterizedTest
    @EnumSource
    void aProcessorThatIsTakenOverAtAnyStepChangesNothing(Fate ofTheFirstCall) {
        disturbEachStep("taken over", ofTheFirstCall, ContractRun::takenOverAt);
    }

    /**
     * What it stores after the other one has committed the offsets is announced by nobody else. Once it has committed its batch, it is a
     * processor like any other.
     */
    @ParameterizedTest
    @EnumSource
    void aProcessorThatIsTakenOverAndEndsChangesNothing(Fate ofTheFirstCall) {
        IntFunction<Fate> fates = only(1, ofTheFirstCall);
        eachScenario(scenario -> {
            ContractRun undisturbed = new ContractRun(this, IntStream.of(scenario), "undisturbed", fates);
            List<ContractRun.End> end = undisturbed.end();
            for (int step : stepsToDisturb(undisturbed, ofTheFirstCall)) {
                boolean hasEnded = true;
                for (int unaware = 1; hasEnded && unaware <= STEPS_UNAWARE_MAX; unaware++) {
                    String what = ofTheFirstCall + " at call 1, taken over at step " + step + ", ended " + unaware
                            + " steps later";
                    ContractRun run = new ContractRun(this, IntStream.of(scenario), what, fates);
                    requireSameEnd(end, run.takenOverAndEndedAt(step, unaware));
                    hasEnded = run.endedUnaware();
                }
            }
        });
    }

    /** A submission may begin as late as the rail allows, and arrive as late as it allows after that. */
    @ParameterizedTest
    @EnumSource
    void aProcessorThatPausesForTheLateArrivalSpanAtAnyStepChangesNothing(Fate ofTheFirstCall) {
        disturbEachStep("paused", ofTheFirstCall, ContractRun::pausedAt);
    }

    /** With the fault, a cashout that was paid after the backup was denied: its rejection counted as that of its first submission. */
    @ParameterizedTest
    @EnumSource
    void aRestoredBackupFromBeforeTheProcessingChangesNothing(Fate ofTheNextCall) {
        for (Duration later : List.of(Duration.ZERO, AFTER_THE_EXPIRY)) {
            eachScenario(scenario -> {
                int[] before = {Integer.MAX_VALUE};
                ContractRun run = new ContractRun(
                        this,
                        IntStream.of(scenario),
                        "restored " + later + " later, then " + ofTheNextCall,
                        call -> call == before[0] + 1 ? ofTheNextCall : Fate.ANSWERED);
                if (run.isOnlyProcessed()) {
                    List<ContractRun.End> end = run.end();
                    before[0] = run.calls();
                    run.restore(later);
                    requireSameEnd(end, run);
                }
            });
        }
    }

    @Test
    void anyFatesBatchesAndCrashesTogetherChangeNothing() {
        eachScenario(scenario -> {
            List<ContractRun.End> end = new ContractRun(this, IntStream.of(scenario), "undisturbed", ANSWERED).end();
            for (int seed = 0; seed < RANDOM_RUNS / oneFateIn(); seed++) {
                Random random = new Random(seed);
                IntFunction<Fate> fates = call -> random.nextBoolean() ? Fate.ANSWERED : any(random);
                ContractRun run = new ContractRun(this, IntStream.of(scenario), "seed " + seed, fates);
                run.lateAnswers(answer -> random.nextInt(LATE_ONCE_IN) == 0)
                        .batchMax(() -> 1 + random.nextInt(BATCH_MAX));
                requireSameEnd(end, run.atEachStep(step -> {
                    if (step < DISTURBED_STEPS_MAX && random.nextInt(CRASH_ONCE_IN) == 0) {
                        throw new ContractWorld.Crash(random.nextInt(LOSE_OFFSETS_ONCE_IN) == 0);
                    }
                }));
            }
        });
    }

    private void disturbEachStep(String disturbance, Fate ofTheFirstCall, Disturbance action) {
        IntFunction<Fate> fates = only(1, ofTheFirstCall);
        eachScenario(scenario -> {
            ContractRun undisturbed = new ContractRun(this, IntStream.of(scenario), "undisturbed", fates);
            List<ContractRun.End> end = undisturbed.end();
            for (int step : stepsToDisturb(undisturbed, ofTheFirstCall)) {
                String what = ofTheFirstCall + " at call 1, " + disturbance + " at step " + step;
                ContractRun run = new ContractRun(this, IntStream.of(scenario), what, fates);
                action.prepare(run, step);
                requireSameEnd(end, run);
            }
        });
    }

    private int[] stepsToDisturb(ContractRun undisturbed, Fate ofTheFirstCall) {
        int[] all = undisturbed.stepsToDisturb();
        return IntStream.range(0, all.length)
                .filter(i -> (i + ofTheFirstCall.ordinal()) % oneFateIn() == 0)
                .map(i -> all[i])
                .toArray();
    }

    /** All at the same time: a run at a bank mostly waits for answers. */
    private void eachScenario(IntConsumer check) {
        CompletableFuture.allOf(IntStream.range(0, count())
                        .mapToObj(scenario -> CompletableFuture.runAsync(() -> check.accept(scenario), THREADS))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    private int count() {
        return scenarios().size();
    }

    private static void requireExpectedEnds(ContractRun run) {
        assertThat(run.end())
                .as(run.description())
                .extracting(ContractRun.End::status)
                .isEqualTo(run.expected());
    }

    private static void requireSameEnd(List<ContractRun.End> expected, ContractRun run) {
        assertThat(run.end()).as(run.description()).isEqualTo(expected);
    }

    private static IntFunction<Fate> only(int call, Fate fate) {
        return now -> now == call ? fate : Fate.ANSWERED;
    }

    private static Fate any(Random random) {
        return Fate.values()[random.nextInt(Fate.values().length)];
    }

    private static IntConsumer crashAt(int step, boolean losesOffsets) {
        return now -> {
            if (now == step) {
                throw new ContractWorld.Crash(losesOffsets);
            }
        };
    }

    private interface Disturbance {

        void prepare(ContractRun run, int step);
    }
}
