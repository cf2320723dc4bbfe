package dev.ligeiro.testing.time;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Makes Awaitility check a condition at once and then every 20 ms, for up to 30 s. By default it waits 100 ms before each check and
 * gives up after 10 s, which is too early on a busy machine. JUnit finds this class by {@code META-INF/services} and calls it once in
 * each test JVM.
 */
public final class QuickPolls implements LauncherSessionListener {

    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(INTERVAL);
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
