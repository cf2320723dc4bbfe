package dev.ligeiro.processor.archive;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** A folder that all processors share. A file gets its name when it is complete and on the disk. */
class FolderFiles implements ArchiveFiles {

    private final Path folder;

    /** @throws IllegalArgumentException if the folder is missing, as one that is not mounted, or is not to be written */
    FolderFiles(Path folder) {
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new IllegalArgumentException(
                    "ligeiro.archive.to: file:" + folder + " (expected: a folder that exists and can be written)");
        }
        this.folder = folder;
    }

    @Override
    public void write(String name, Path content) throws IOException {
        Path file = folder.resolve(name);
        Path parent = Objects.requireNonNull(file.getParent());
        if (!parent.equals(folder)) {
            // it may not be mounted any more
            requireMark();
            Files.createDirectories(parent);
        }
        Path incomplete = file.resolveSibling("." + file.getFileName());
        Files.copy(content, incomplete, StandardCopyOption.REPLACE_EXISTING);
        sync(incomplete, StandardOpenOption.WRITE);
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
