package dev.ligeiro.infra.loadtest.observe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The time of an fdatasync of 4 KiB without other load: no journaled write can be faster.
 *
 * @param fileSystem its type
 */
public record DiskProbe(String fileSystem, long writes, double p50Millis, double p99Millis) {

    private static final int BYTES = 4096;
    private static final int WRITES_MAX = 1_000;
    private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(3);

    /** Takes at most 3 s. */
    public static DiskProbe in(Path folder) {
        Path file = folder.resolve("fsync-probe");
        Histogram micros = new Histogram(3);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            long startedAt = System.nanoTime();
            while (micros.getTotalCount() < WRITES_MAX && System.nanoTime() - startedAt < NANOS_MAX) {
                long before = System.nanoTime();
                channel.write(ByteBuffer.allocate(BYTES));
                channel.force(false);
                micros.recordValue((System.nanoTime() - before) / 1000);
            }
            return new DiskProbe(
                    Files.getFileStore(folder).type(),
                    micros.getTotalCount(),
                    micros.getValueAtPercentile(50) / 1000.0,
                    micros.getValueAtPercentile(99) / 1000.0);
        } catch (IOException e) {
            throw new UncheckedIOException("the disk of " + folder + " cannot be probed", e);
        }
    }
}
