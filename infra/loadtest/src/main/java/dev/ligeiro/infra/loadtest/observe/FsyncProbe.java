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
 * How long the disk takes to make 4 KiB durable (fdatasync) while nothing else runs: the floor under every journaled write.
 *
 * @param fileSystem its type
 */
public record FsyncProbe(String fileSystem, long writes, double p50Millis, double p99Millis) {

    private static final int BYTES = 4096;
    private static final int WRITES_MAX = 1_000;
    private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(3);

    /** Takes at most 3 s. */
    public static FsyncProbe in(Path folder) {
        Path file = folder.resolve("fsync-probe");
        Histogram micros = new Histogram(3);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            long startedAt = System.nanoTime();
            while (micros.getTotalCount() < WRITES_MAX && System.nanoTime() - startedAt < NANOS_MAX) {
                micros.recordValue(writeNanos(channel) / 1000);
            }
            String type = Files.getFileStore(folder).type();
            return new FsyncProbe(type, micros.getTotalCount(), millis(micros, 50), millis(micros, 99));
        } catch (IOException e) {
            throw new UncheckedIOException("no probe of the disk in " + folder, e);
        } finally {
            delete(file);
        }
    }

    private static long writeNanos(FileChannel channel) throws IOException {
        long before = System.nanoTime();
        channel.write(ByteBuffer.allocate(BYTES));
        channel.force(false);
        return System.nanoTime() - before;
    }

    private static double millis(Histogram micros, double percentile) {
        return micros.getValueAtPercentile(percentile) / 1000.0;
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
