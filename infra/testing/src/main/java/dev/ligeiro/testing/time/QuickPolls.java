package dev.ligeiro.testing.time;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Makes Awaitility check a condition at once, after 20 ms, and then at intervals that grow to 100 ms, because the checks of a long wait
 * would take CPU from the code under test. It gives up after 60 s: its default of 10 s is too early on a busy machine. JUnit finds
 * this class by {@code META-INF/services} and calls it once in each test JVM.
 */
public final class QuickPolls implements LauncherSessionListener {

    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final Duration INTERVAL_MAX = Duration.ofMillis(100);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(QuickPolls::next, INTERVAL));
        Awaitility.setDefaultTimeout(LIMIT);
    }

    private static Duration next(Duration interval) {
        Duration longer = interval.multipliedBy(9).dividedBy(8);
        return longer.compareTo(INTERVAL_MAX) < 0 ? longer : INTERVAL_MAX;
    }
}
