package dev.ligeiro.infra.standalone.endtoend;

import dev.ligeiro.infra.brokers.DeepDelete;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The whole system on free ports and a temporary home: one for all tests of this JVM, because a start takes half a minute on two
 * cores. A test leaves it running or stopped; who needs it next gets it running, with one instance of each service.
 */
final class Ligeiro {

    /** What a stop may take (design §6). */
    private static final Duration STOP_WITHIN = Duration.ofSeconds(60);

    /** What was lost or held by a killed process is taken up again after seconds instead of half a minute and more. */
    private static final Map<String, String> IMPATIENT = Map.of(
            "LIGEIRO_REPUBLISH_AGES", "2s,10s,20s,40s,80s,3m,10m",
            "LIGEIRO_REPUBLISH_EVERY", "1s",
            "LIGEIRO_WEBHOOK_TOTAL_TIMEOUT", "5s",
            "LIGEIRO_WEBHOOK_ROUND_LEASE", "12s");

    private static final Ligeiro SHARED = new Ligeiro();

    private final Path home;
    private final FreePorts ports = FreePorts.find();
    private @Nullable Launcher launcher;
    private int lives;

    private Ligeiro() {
        home = temporaryFolder();
        Runtime.getRuntime().addShutdownHook(new Thread(this::stopAndForget, "end-" + home.getFileName()));
    }

    static Ligeiro running() {
        if (!SHARED.isRunning()) {
            SHARED.start();
        }
        return SHARED;
    }

    /** Returns once everything is ready. */
    void start(String... moreOptions) {
        List<String> options = new ArrayList<>(List.of("--home=" + home, "--mongodb-cache-gb=0.25"));
        options.addAll(ports.options());
        options.addAll(List.of(moreOptions));
        Path output = home.resolve("launcher-%d.out".formatted(++lives));
        Launcher started = Launcher.start(output, IMPATIENT, options);
        launcher = started;
        started.awaitUp();
    }

    /** Returns once the launcher is gone, and says how it ended. */
    String stop() {
        Launcher current = launcher();
        current.stop(STOP_WITHIN);
        return current.ending();
    }

    boolean isRunning() {
        return launcher != null && launcher.isAlive();
    }

    Environment environment() {
        return Environment.read(home.resolve("demo.env"));
    }

    /** The demo merchant. */
    Merchant demoMerchant() {
        return Merchant.demo(environment());
    }

    Merchant newMerchant() {
        return Merchant.create(environment());
    }

    Path home() {
        return home;
    }

    /** Where it answers HTTP. */
    int port() {
        return ports.http();
    }

    String output() {
        return launcher().output();
    }

    private Launcher launcher() {
        if (launcher == null) {
            throw new IllegalStateException("never started");
        }
        return launcher;
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("ligeiro-end-to-end-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void stopAndForget() {
        try {
            if (isRunning()) {
                stop();
            }
            DeepDelete.delete(home);
        } catch (IOException e) {
            System.err.println("end-to-end: " + home + " is left: " + e.getMessage());
        }
    }
}
