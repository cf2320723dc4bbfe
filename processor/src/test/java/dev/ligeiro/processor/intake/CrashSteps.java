package dev.ligeiro.processor.intake;

import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** Counts the steps of one processor in the JVM of {@link CrashingProcessors}, and stops it at its crash point. */
final class CrashSteps {

    private static final String CASE = "test.crash-case";
    private static final int TRANSACTIONS = 2;
    private static final int EVENTS = 4;
    private static final Set<EventType> OUTCOMES = Set.of(EventType.PAID, EventType.REFUNDED_PARTIALLY);
    private static final Map<String, CrashSteps> BY_CASE = new ConcurrentHashMap<>();
    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static volatile @Nullable Path log;

    private final String crash;
    private final CrashPoint point;
    private final AtomicInteger steps = new AtomicInteger();

    private CrashSteps(String crash) {
        this.crash = crash;
        this.point = CrashPoint.valueOf(crash.split(" ")[0]);
    }

    /** The settings of a processor that stops at the crash point of {@code crash}. */
    static List<String> settings(CrashCase crash) {
        String producer = "spring.kafka.producer.properties.";
        return List.of(
                producer + "interceptor.classes=" + Interceptor.class.getName(), producer + CASE + "=" + name(crash));
    }

    static CrashSteps of(Environment environment) {
        return of(environment.getRequiredProperty("spring.kafka.producer.properties." + CASE));
    }

    private static CrashSteps of(String crash) {
        return BY_CASE.computeIfAbsent(crash, CrashSteps::new);
    }

    void beforeCall() {
        if (point == CrashPoint.BEFORE_CALL) {
            stopAfter(1);
        }
    }

    /** Stops at the second call that gets no answer. */
    boolean isWithoutAnswer(RailCallKind call) {
        boolean without = point == (call == RailCallKind.SUBMIT ? CrashPoint.IN_CALL : CrashPoint.IN_INQUIRY);
        if (without) {
            stopAfter(TRANSACTIONS);
        }
        return without;
    }

    boolean isAnswerLater() {
        return point == CrashPoint.BEFORE_ANSWER || point == CrashPoint.BEFORE_OUTCOME_EVENT;
    }

    /** Stops when a batch is stored. */
    boolean isBeforeVersions() {
        boolean before = point == CrashPoint.BEFORE_VERSIONS;
        if (before && steps.incrementAndGet() == 1) {
            record();
        }
        return before;
    }

    private void beforeSend(ProducerRecord<byte[], byte[]> record) {
        boolean isEvent = record.topic().equals(Topics.EVENTS)
                && !EventHeaders.isForBooks(
                        record.headers().lastHeader(EventHeaders.TYPE).value());
        if (point == CrashPoint.BEFORE_ANSWER && !isEvent) {
            stopAfter(TRANSACTIONS);
            stop();
        }
        if (point == CrashPoint.BEFORE_EVENTS && isEvent
                || point == CrashPoint.BEFORE_OUTCOME_EVENT && isEvent && OUTCOMES.contains(type(record))) {
            stopAfter(1);
        }
    }

    private void acknowledged(String topic) {
        if (point == CrashPoint.BEFORE_COMMIT && topic.equals(Topics.EVENTS)) {
            stopAfter(EVENTS);
        }
    }

    private static EventType type(ProducerRecord<byte[], byte[]> event) {
        return Objects.requireNonNull(
                EventHeaders.type(event.headers().lastHeader(EventHeaders.TYPE).value()));
    }

    /** Counts a step. At step {@code count} the crash point is reached, and this thread never goes on. */
    private void stopAfter(int count) {
        if (steps.incrementAndGet() == count) {
            record();
            stop();
        }
    }

    private static void stop() {
        try {
            NEVER.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Names the file that gets a line for each processor that has stopped. */
    static void recordIn(Path file) {
        log = file;
    }

    /** The line of the processor of {@code crash}. */
    static String name(CrashCase crash) {
        return crash.point() + " " + crash.group();
    }

    private void record() {
        try {
            Files.writeString(
                    Objects.requireNonNull(log), crash + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells of the records that the processor sends. */
    public static final class Interceptor implements ProducerInterceptor<byte[], byte[]> {

        private @Nullable CrashSteps steps;

        @Override
        public void configure(Map<String, ?> settings) {
            steps = of(String.valueOf(settings.get(CASE)));
        }

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            Objects.requireNonNull(steps).beforeSend(record);
            return record;
        }

        /** The sender does not learn of the acknowledgement before this method returns. */
        @Override
        public void onAcknowledgement(RecordMetadata metadata, @Nullable Exception failure) {
            Objects.requireNonNull(steps).acknowledged(metadata.topic());
        }

        @Override
        public void close() {}
    }
}
