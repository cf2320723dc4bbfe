package dev.ligeiro.infra.standalone.home;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** A file that only its owner may read (mode 600) and that is replaced atomically. */
final class PrivateFile {

    private PrivateFile() {}

    static void write(Path file, String text) {
        try {
            Path draft = Files.createTempFile(
                    file.toAbsolutePath().getParent(),
                    file.getFileName() + ".",
                    ".draft",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(draft, text);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
