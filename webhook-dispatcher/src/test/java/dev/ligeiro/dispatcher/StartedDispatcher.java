package dev.ligeiro.dispatcher;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The dispatcher of a test class: it has its partitions before the first test, and stops after the last one. */
final class StartedDispatcher implements BeforeAllCallback, AfterAllCallback {

    private final TestEnvironment environment = new TestEnvironment();
    private final String[] settings;

    /** @param settings as of {@link TestEnvironment#startDispatcher} */
    StartedDispatcher(String... settings) {
        this.settings = settings.clone();
    }

    TestEnvironment environment() {
        return environment;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        environment.events().createTopic();
        environment.startDispatcher(settings);
        environment.awaitPartitions();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        environment.close();
    }
}
