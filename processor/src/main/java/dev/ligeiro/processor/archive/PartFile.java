package dev.ligeiro.processor.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionFields;
import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A local file with a part of a month, while it is written or read. It has no name, so nothing of it is left when it is closed or its process is
 * killed. Calls block. Not for use by two threads at once.
 */
final class PartFile implements ArchiveFiles.Content, AutoCloseable {

    private static final long JSON_BYTES_MAX = 32L << 20;
    private static final int BUFFER = 16 << 10;

    private final FileChannel channel;
    private final MessageDigest sha256;
    private @Nullable Writer writer;
    private @Nullable BufferedReader reader;
    private @Nullable UUID first;
    private @Nullable UUID last;
    private long lines;
    private long jsonBytes;
    private final Map<String, Long> statuses = new TreeMap<>();

    private PartFile() throws IOException {
        // Linux removes the name at once
        this.channel = FileChannel.open(
                Files.createTempFile("ligeiro-archive-", ".zst"),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
        try {
            this.sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Opens a file, uses and closes it. */
    static <T> Mono<T> using(Callable<PartFile> opened, Function<PartFile, Mono<T>> use) {
        return Mono.usingWhen(
                ArchiveFiles.call(opened),
                use,
                file -> ArchiveFiles.call(() -> {
                    file.close();
                    return true;
                }));
    }

    /** An empty one, to be written. */
    static PartFile create() throws IOException {
        PartFile part = new PartFile();
        part.writer = new OutputStreamWriter(new ZstdOutputStream(part.hashed()), UTF_8);
        return part;
    }

    /**
     * A copy of a file of the archive, to be read.
     *
     * @throws AlteredFile if the file is missing or has another size or hash: nothing of it was read
     */
    static PartFile copy(ArchiveFiles files, String name, ArchivedPart expected) throws IOException {
        PartFile part = new PartFile();
        try {
            try (InputStream in = files.open(name);
                    OutputStream copy = part.hashed()) {
                if (copy(in, copy, expected.bytes()) != expected.bytes() || in.read() >= 0) {
                    throw new AlteredFile(name);
                }
            } catch (NoSuchFileException missing) {
                throw new AlteredFile(name);
            }
            if (!part.hash().equals(expected.sha256())) {
                throw new AlteredFile(name);
            }
            part.reader = new BufferedReader(new InputStreamReader(new ZstdInputStream(part.open()), UTF_8));
            return part;
        } catch (IOException | RuntimeException failure) {
            part.close();
            throw failure;
        }
    }

    /** Closing it leaves the file open. */
    private OutputStream hashed() {
        return new DigestOutputStream(Channels.newOutputStream(channel), sha256) {
            @Override
            public void close() {}
        };
    }

    /** At most so many bytes. */
    private static long copy(InputStream from, OutputStream to, long max) throws IOException {
        byte[] buffer = new byte[BUFFER];
        long copied = 0;
        int read;
        while (copied < max && (read = from.read(buffer, 0, (int) Math.min(BUFFER, max - copied))) > 0) {
            to.write(buffer, 0, read);
            copied += read;
        }
        return copied;
    }

    /** A file of the archive is missing or is not as it was written. */
    static final class AlteredFile extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final String name;

        AlteredFile(String name) {
            super(name);
            this.name = name;
        }

        String name() {
            return name;
        }
    }

    private String hash() {
        return HexFormat.of().formatHex(sha256.digest());
    }

    boolean isEmpty() {
        return lines == 0;
    }

    boolean isFull(int linesMax) {
        return lines >= linesMax || jsonBytes >= JSON_BYTES_MAX;
    }

    /** The id of the last transaction; null without one. */
    @Nullable
    UUID last() {
        return last;
    }

    @Override
    public long bytes() throws IOException {
        return channel.size();
    }

    @Override
    public InputStream open() throws IOException {
        return new FilterInputStream(Channels.newInputStream(channel.position(0))) {
            @Override
            public void close() {}
        };
    }

    /** @throws IllegalStateException if a document would come back with other bytes */
    void add(List<RawBsonDocument> transactions) throws IOException {
        Writer out = writer;
        if (out == null) {
            throw new IllegalStateException("the file is complete");
        }
        for (RawBsonDocument transaction : transactions) {
            UUID id = StoredValues.uuid(transaction, TransactionFields.ID);
            String line = ArchivedPart.line(transaction);
            if (!ArchivedPart.transaction(line)
                    .getByteBuffer()
                    .asNIO()
                    .equals(transaction.getByteBuffer().asNIO())) {
                throw new IllegalStateException(id + " (expected: the same bytes from its JSON)");
            }
            out.write(line);
            out.write('\n');
            first = first == null ? id : first;
            last = id;
            lines++;
            jsonBytes += line.length();
            statuses.merge(StoredValues.text(transaction, TransactionFields.STATUS), 1L, Long::sum);
        }
    }

    /** Ends the writing. */
    ArchivedPart complete(int number) throws IOException {
        if (writer == null || first == null || last == null) {
            throw new IllegalStateException("the file is empty");
        }
        writer.close();
        writer = null;
        return new ArchivedPart(number, first, last, lines, channel.size(), hash(), statuses);
    }

    /** The next transactions, at most so many; empty at the end. */
    List<RawBsonDocument> next(int max) throws IOException {
        if (reader == null) {
            throw new IllegalStateException("the file is not to be read");
        }
        List<RawBsonDocument> next = new ArrayList<>(max);
        String line;
        while (next.size() < max && (line = reader.readLine()) != null) {
            next.add(ArchivedPart.transaction(line));
        }
        return next;
    }

    @Override
    public void close() throws IOException {
        try {
            if (writer != null) {
                writer.close();
            }
            if (reader != null) {
                reader.close();
            }
        } finally {
            channel.close();
        }
    }
}
