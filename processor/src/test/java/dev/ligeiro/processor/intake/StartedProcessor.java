package dev.ligeiro.processor.intake;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.testing.trace.OtlpReceiver;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The one processor of all test classes that need no other settings; they have {@code @Order(1)}. It starts before the first of them, and
 * stops when a test starts another processor, or at the end.
 */
final class StartedProcessor implements BeforeAllCallback, AfterAllCallback {

    static final OtlpReceiver TRACES = new OtlpReceiver();

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final TestEnvironment ENVIRONMENT = new TestEnvironment();

    private static @Nullable RunningProcessor running;

    TestEnvironment environment() {
        return ENVIRONMENT;
    }

    RunningProcessor running() {
        return Objects.requireNonNull(running, "the processor is started before the first test");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(ExtensionContext.Namespace.GLOBAL).computeIfAbsent(StartedProcessor.class, key ->
                (AutoCloseable) StartedProcessor::end);
        if (running == null) {
            ENVIRONMENT.createIndexesOfDueWork();
            List<String> own = List.of(
                    "ligeiro.books.enabled=true",
                    "ligeiro.books.consumer-group=books-" + UUID.randomUUID(),
                    "ligeiro.due.every=100ms",
                    "ligeiro.simulator.analysis=200ms",
                    "ligeiro.simulator.call-timeout=1s",
                    "ligeiro.simulator.inquire-after=1s",
                    "ligeiro.simulator.late-arrival=1s",
                    "management.endpoints.web.exposure.include=health,simulator");
            running = RunningProcessor.start(
                    Stream.concat(own.stream(), TRACES.settings().stream()).toArray(String[]::new));
        }
        await().atMost(TIMEOUT).until(running()::isReady);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        running().requireShardKeys();
    }

    static void stop() {
        if (running != null) {
            running.close();
            running = null;
        }
    }

    private static void end() {
        stop();
        ENVIRONMENT.close();
        TRACES.close();
    }
}
