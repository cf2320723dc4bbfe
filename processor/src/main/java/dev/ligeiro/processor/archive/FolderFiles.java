package dev.ligeiro.processor.archive;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * A folder that all processors share. A file gets its name when it is complete and on the disk. A folder that is away or full is no reason for a
 * processor not to start.
 */
class FolderFiles implements ArchiveFiles {

    private final Path folder;

    FolderFiles(Path folder) {
        this.folder = folder;
    }

    @Override
    public void write(String name, Content content) throws IOException {
        Path file = folder.resolve(name);
        Path parent = Objects.requireNonNull(file.getParent());
        if (!parent.equals(folder)) {
            // it may not be mounted any more
            requireMark();
            Files.createDirectories(parent);
            sync(folder, StandardOpenOption.READ);
        }
        Path incomplete = file.resolveSibling("." + file.getFileName());
        try (InputStream in = content.open()) {
            Files.copy(in, incomplete, StandardCopyOption.REPLACE_EXISTING);
            sync(incomplete, StandardOpenOption.WRITE);
        } catch (IOException failure) {
            // an incomplete file must not keep the disk full
            Files.deleteIfExists(incomplete);
            throw failure instanceof FileSystemException
                    ? failure
                    : new FileSystemException(incomplete.toString(), null, failure.getMessage());
        }
        Files.move(incomplete, file, StandardCopyOption.ATOMIC_MOVE);
        sync(parent, StandardOpenOption.READ);
    }

    private static void sync(Path file, StandardOpenOption access) throws IOException {
        try (FileChannel channel = FileChannel.open(file, access)) {
            channel.force(true);
        }
    }

    @Override
    public InputStream open(String name) throws IOException {
        return Files.newInputStream(folder.resolve(name));
    }
}
