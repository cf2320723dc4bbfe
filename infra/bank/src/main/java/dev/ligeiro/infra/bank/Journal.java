package dev.ligeiro.infra.bank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/** An append-only file of lines. What {@link #force} has returned for survives a SIGKILL and a power cut. */
final class Journal implements AutoCloseable {

    private final FileChannel channel;
    private final Object forcing = new Object();
    private volatile long end;
    private long forced;

    private Journal(FileChannel channel, long end) {
        this.channel = channel;
        this.end = end;
        this.forced = end;
    }

    /** Gives {@code reader} each line of the file, and cuts off a last line that was not written whole. */
    static Journal open(Path file, Consumer<String> reader) throws IOException {
        byte[] bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                reader.accept(new String(bytes, start, i - start, StandardCharsets.UTF_8));
                start = i + 1;
            }
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        channel.truncate(start);
        channel.position(start);
        return new Journal(channel, start);
    }

    /** Not for two threads at once. */
    void append(String line) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            end = channel.position();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long end() {
        return end;
    }

    /** Returns when all bytes up to {@code position} are on disk. One force serves all callers that wait. */
    void force(long position) {
        synchronized (forcing) {
            if (forced >= position) {
                return;
            }
            long written = end;
            try {
                channel.force(false);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            forced = written;
        }
    }

    @Override
    public void close() throws IOException {
        force(end);
        channel.close();
    }
}
