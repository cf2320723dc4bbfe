package dev.ligeiro.infra.launcher.home;

import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.launcher.terminal.CannotStartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The file {@code demo.env}: written when the system is ready, and again after each restart of a process. */
public final class DemoEnvFile {

    private final Path file;
    private @Nullable Supplier<DemoEnv> contents;

    /** Deletes the file of an earlier run, so that a program can wait for this run by waiting for the file. */
    public DemoEnvFile(Path file) {
        this.file = file;
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new CannotStartException(file + " cannot be replaced: " + e, e);
        }
    }

    /** Writes the file now, and at each later {@link #rewrite}. */
    public synchronized void publish(Supplier<DemoEnv> current) {
        contents = current;
        rewrite();
    }

    /** Writes the current values; does nothing before {@link #publish}. */
    public synchronized void rewrite() {
        Optional.ofNullable(contents)
                .ifPresent(current -> PrivateFile.write(file, current.get().render()));
    }
}
