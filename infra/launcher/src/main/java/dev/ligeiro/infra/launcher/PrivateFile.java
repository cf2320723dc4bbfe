package dev.ligeiro.infra.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Writes files that only their owner can read (mode 600). */
final class PrivateFile {

    private PrivateFile() {}

    /**
     * Replaces the file atomically.
     *
     * @throws CannotStartException when it cannot be written; the earlier contents stay
     */
    static void write(Path file, String text) {
        try {
            Path draft = Files.createTempFile(
                    file.toAbsolutePath().getParent(),
                    file.getFileName() + ".",
                    ".draft",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try {
                Files.writeString(draft, text);
                Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(draft); // the draft of a failed write
            }
        } catch (IOException e) {
            throw new CannotStartException(file + " cannot be written: " + e, e);
        }
    }
}
