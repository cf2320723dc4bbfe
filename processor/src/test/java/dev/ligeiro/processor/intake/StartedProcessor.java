package dev.ligeiro.processor.intake;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The processor of a test class: it is ready before the first test, and stops after the last one. */
final class StartedProcessor implements BeforeAllCallback, AfterAllCallback {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final TestEnvironment environment = new TestEnvironment();
    private final String[] settings;
    private @Nullable RunningProcessor running;

    /** @param settings as of {@link RunningProcessor#start} */
    StartedProcessor(String... settings) {
        this.settings = settings.clone();
    }

    TestEnvironment environment() {
        return environment;
    }

    RunningProcessor running() {
        return Objects.requireNonNull(running, "the processor is started before the first test");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        running = RunningProcessor.start(settings);
        await().atMost(TIMEOUT).until(running()::isReady);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        running().close();
        environment.close();
    }
}
