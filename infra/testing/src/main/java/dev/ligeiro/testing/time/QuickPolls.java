package dev.ligeiro.testing.time;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Makes Awaitility check a condition at once and then every 20 ms. By default it waits 100 ms before each check. JUnit finds this
 * class by {@code META-INF/services} and calls it once in each test JVM.
 */
public final class QuickPolls implements LauncherSessionListener {

    private static final Duration INTERVAL = Duration.ofMillis(20);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(INTERVAL);
    }
}
