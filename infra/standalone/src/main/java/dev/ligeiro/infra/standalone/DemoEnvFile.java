package dev.ligeiro.infra.standalone;

import dev.ligeiro.infra.client.DemoEnv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code demo.env} on disk: there once everything is ready, and right again after each restart of a process. */
final class DemoEnvFile {

    private final Path file;
    private @Nullable Supplier<DemoEnv> contents;

    /** Removes what an earlier run left, so that whoever waits for the file waits for this run. */
    DemoEnvFile(Path file) {
        this.file = file;
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new CannotStartException(file + " cannot be replaced: " + e, e);
        }
    }

    /** From now on the file is there. */
    synchronized void publish(Supplier<DemoEnv> current) {
        contents = current;
        rewrite();
    }

    synchronized void rewrite() {
        Optional.ofNullable(contents)
                .ifPresent(current -> PrivateFile.write(file, current.get().render()));
    }
}
