package dev.ligeiro.infra.standalone.home;

import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.standalone.terminal.CannotStartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The file {@code demo.env}: written when everything is ready, and again after each restart of a process. */
public final class DemoEnvFile {

    private final Path file;
    private @Nullable Supplier<DemoEnv> contents;

    /** Removes the file of an earlier run: a program that waits for the file waits for this run. */
    public DemoEnvFile(Path file) {
        this.file = file;
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new CannotStartException(file + " cannot be replaced: " + e, e);
        }
    }

    /** Writes the file now and at each {@link #rewrite}, which does nothing before. */
    public synchronized void publish(Supplier<DemoEnv> current) {
        contents = current;
        rewrite();
    }

    public synchronized void rewrite() {
        Optional.ofNullable(contents)
                .ifPresent(current -> PrivateFile.write(file, current.get().render()));
    }
}
