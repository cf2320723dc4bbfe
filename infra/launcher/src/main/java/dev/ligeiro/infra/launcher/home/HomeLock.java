package dev.ligeiro.infra.launcher.home;

import dev.ligeiro.infra.launcher.terminal.CannotStartException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Prevents a second launcher in a home while this JVM runs. The operating system releases the lock at the end of this JVM, also after
 * SIGKILL.
 */
public final class HomeLock {

    /** Keeps the files referenced: the garbage collector would close an unreferenced one, which releases its lock. */
    private static final Set<FileChannel> HELD = ConcurrentHashMap.newKeySet();

    private HomeLock() {}

    /** @throws CannotStartException when another launcher uses the home; the message names its pid */
    public static void take(Home home) {
        try {
            FileChannel file = FileChannel.open(home.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (tryLock(file) == null) {
                file.close();
                throw new CannotStartException(
                        "%s is in use by the launcher with pid %s: stop that one, or choose another --home"
                                .formatted(home.folder(), Files.readString(home.lock())));
            }
            HELD.add(file);
            String pid = Long.toString(ProcessHandle.current().pid());
            file.truncate(0).write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new CannotStartException(home.lock() + " cannot be locked: " + e, e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }
}
