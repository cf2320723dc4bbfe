package dev.ligeiro.processor.intake;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.Topics;
import dev.ligeiro.processor.ProcessorApplication;
import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Transaction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The service as a process of its own, with the test's class path, that ends without any clean-up ({@link Runtime#halt}) at one
 * {@link CrashPoint}. Its rail for live transactions ends the JVM at a
 * submission.
 */
final class CrashingProcessor {

    /** The exit code at the crash point. */
    static final int CRASHED = 86;

    /** The exit code after a submission that the crash point does not allow. */
    private static final int SUBMITTED_AGAIN = 87;

    private CrashingProcessor() {}

    /** Starts the process; its output goes to {@code log}. */
    static ChildProcess start(CrashPoint point, Path log, String... settings) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                CrashingProcessor.class.getName(),
                point.name()));
        command.addAll(Arrays.asList(RunningProcessor.arguments(Ports.free(), List.of(settings))));
        return ChildProcess.spawn("crashing-processor", command, Map.of(), log);
    }

    /** In the process itself: the crash point, then the settings. */
    public static void main(String... arguments) {
        CrashPoint point = CrashPoint.valueOf(arguments[0]);
        List<String> settings = new ArrayList<>(Arrays.asList(arguments).subList(1, arguments.length));
        if (point == CrashPoint.FIRST_EVENT) {
            settings.add("--spring.kafka.producer.properties.interceptor.classes="
                    + CrashBeforeTheFirstEvent.class.getName());
        }
        new SpringApplicationBuilder(ProcessorApplication.class)
                .initializers((GenericApplicationContext context) ->
                        context.registerBean("liveRail", PaymentRail.class, () -> new LiveRail(point)))
                .run(settings.toArray(String[]::new));
    }

    /** The rail for live transactions. */
    private record LiveRail(CrashPoint point) implements PaymentRail {

        @Override
        public RailFacts facts() {
            return CountingRail.facts(Duration.ofSeconds(1));
        }

        @Override
        public String account(Transaction transaction) {
            return "account-1";
        }

        @Override
        public CompletableFuture<RailOutcome> submit(Transaction transaction) {
            Runtime.getRuntime().halt(point == CrashPoint.SUBMISSION ? CRASHED : SUBMITTED_AGAIN);
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<RailOutcome> inquire(Transaction transaction) {
            return CompletableFuture.completedFuture(RailOutcome.Settled.asAgreed());
        }

        @Override
        public CompletableFuture<RailOutcome> refund(Transaction transaction, Refund refund) {
            return submit(transaction);
        }

        @Override
        public CompletableFuture<RailOutcome> inquireRefund(Transaction transaction, Refund refund) {
            return inquire(transaction);
        }
    }

    /** Ends the JVM when the producer is given an event, before the record leaves the process. */
    public static final class CrashBeforeTheFirstEvent implements ProducerInterceptor<byte[], byte[]> {

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            if (record.topic().equals(Topics.EVENTS)) {
                Runtime.getRuntime().halt(CRASHED);
            }
            return record;
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, @Nullable Exception failure) {}

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> settings) {}
    }
}
