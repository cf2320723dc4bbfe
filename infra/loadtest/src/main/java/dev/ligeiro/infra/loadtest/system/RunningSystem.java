package dev.ligeiro.infra.loadtest.system;

import java.nio.file.Files;
import java.nio.file.Path;

/** A system that runs already, known by its home; leaving it changes nothing. */
public sealed class RunningSystem implements AutoCloseable permits StartedSystem {

    private final Path home;

    RunningSystem(Path home) {
        this.home = home;
    }

    /** @throws CannotRunException when nothing runs there */
    public static RunningSystem at(Path home) {
        RunningSystem system = new RunningSystem(home);
        if (!Files.exists(system.envFile())) {
            throw new CannotRunException(
                    system.envFile() + " is not there: start the system with infra/run --home " + home);
        }
        return system;
    }

    public Path home() {
        return home;
    }

    /** As it is now: the pids change when a process is restarted. */
    public DemoEnv env() {
        return DemoEnv.read(envFile());
    }

    /** Whether this load test has started it, and may end its processes. */
    public boolean isOurs() {
        return false;
    }

    @Override
    public void close() {}

    Path envFile() {
        return home.resolve("demo.env");
    }
}
