package dev.ligeiro.processor.intake;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.ProcessorApplication;
import dev.ligeiro.processor.apply.BucketVersionStore;
import dev.ligeiro.processor.apply.Origins;
import dev.ligeiro.processor.apply.RecordPublisher;
import dev.ligeiro.processor.apply.TransactionBatchStore;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.processor.guard.GuardCashouts;
import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailCommandPublisher;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.processor.resolve.ConfirmedResolutionStore;
import dev.ligeiro.transaction.Transaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.support.GenericApplicationContext;
import reactor.core.publisher.Mono;

/**
 * A JVM with one processor for each {@link CrashCase}, because the start of a JVM for each would take 6 s (2026-11-22). Each
 * processor receives only the records of its case and stops at its crash point. When all have stopped, the test sends SIGKILL to the JVM.
 */
final class CrashingProcessors {

    private CrashingProcessors() {}

    /** Starts the JVM. {@code folder} gets its log. */
    static ChildProcess start(List<CrashCase> cases, Path folder, RailLedger ledger, String... settings) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                CrashingProcessors.class.getName(),
                stoppedFile(folder).toString(),
                ledger.file().toString()));
        int port = Ports.freeInARow(cases.size());
        for (CrashCase one : cases) {
            List<String> all = new ArrayList<>(Arrays.asList(settings));
            all.addAll(List.of(
                    "spring.kafka.consumer.group-id=" + one.group(),
                    // a processor that has stopped does not retry its batch
                    "ligeiro.intake.batch-timeout=4m",
                    // due work is left to the next processor
                    "ligeiro.due.every=1m"));
            all.addAll(OwnRecords.settings(one.keys()));
            all.addAll(CrashSteps.settings(one));
            command.add(String.join("\n", RunningProcessor.arguments(port++, all)));
        }
        return ChildProcess.spawn("crashing-processors", command, Map.of(), folder.resolve("log"));
    }

    /** The {@link CrashSteps#name} of each processor that has stopped. */
    static List<String> stopped(Path folder) {
        try {
            return Files.exists(stoppedFile(folder)) ? Files.readAllLines(stoppedFile(folder)) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path stoppedFile(Path folder) {
        return folder.resolve("stopped");
    }

    /**
     * In the JVM itself. The arguments are the file of the stopped processors, the ledger's file, and the settings of each processor, one
     * a line.
     */
    public static void main(String... arguments) {
        RailLedger ledger = new RailLedger(Path.of(arguments[1]));
        CrashSteps.recordIn(Path.of(arguments[0]));
        Stream.of(arguments).skip(2).map(settings -> settings.split("\n")).forEach(settings -> start(ledger, settings));
    }

    private static void start(RailLedger ledger, String[] settings) {
        new SpringApplicationBuilder(ProcessorApplication.class)
                .initializers((GenericApplicationContext context) -> {
                    CrashSteps steps = CrashSteps.of(context.getEnvironment());
                    context.registerBean("liveRail", PaymentRail.class, () -> new CrashingRail(ledger, steps));
                    context.registerBean(
                            "crashingCommands",
                            ProcessCommands.class,
                            () -> new CrashingCommands(steps, context),
                            bean -> bean.setPrimary(true));
                })
                .run(settings);
    }

    private static final class CrashingCommands extends ProcessCommands {

        private final CrashSteps steps;

        CrashingCommands(CrashSteps steps, BeanFactory beans) {
            super(
                    beans.getBean(TransactionBatchStore.class),
                    beans.getBean(GuardCashouts.class),
                    beans.getBean(ConfirmedResolutionStore.class),
                    beans.getBean(Rails.class),
                    beans.getBean(RailCommandPublisher.class),
                    beans.getBean(BucketVersionStore.class),
                    beans.getBean(UnmatchedPaymentStore.class),
                    beans.getBean(RecordPublisher.class),
                    beans.getBean(Clock.class));
            this.steps = steps;
        }

        @Override
        Mono<Void> finish(Batch batch, List<TransactionCommand> again, Origins origins) {
            return steps.isBeforeVersions() ? Mono.never() : super.finish(batch, again, origins);
        }
    }

    /** The rail for live transactions. */
    private static final class CrashingRail extends LedgerRail {

        private final CrashSteps steps;

        CrashingRail(RailLedger ledger, CrashSteps steps) {
            super(ledger);
            this.steps = steps;
        }

        /** The processor needs the account for a call that begins now. */
        @Override
        public String account(Transaction transaction) {
            steps.beforeCall();
            return super.account(transaction);
        }

        @Override
        CompletableFuture<RailOutcome> answer(RailCallKind call, RailOutcome outcome) {
            if (steps.isWithoutAnswer(call)) {
                return new CompletableFuture<>();
            }
            return steps.isAnswerLater() ? super.answer(call, outcome) : CompletableFuture.completedFuture(outcome);
        }
    }
}
