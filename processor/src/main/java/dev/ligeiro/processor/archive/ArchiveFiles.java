package dev.ligeiro.processor.archive;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The folder or bucket of the archive. Its files have names with slashes. Calls block. */
interface ArchiveFiles {

    /** It is there from before the first file on, so that another folder or bucket, or a folder that is not mounted, is not taken for it. */
    String MARK = ".ligeiro-archive";

    /** The bytes of a file. */
    interface Content {

        long bytes() throws IOException;

        /** From the first byte on, however often it was opened before. */
        InputStream open() throws IOException;
    }

    /** Stores a file, in place of an earlier one with its name. It is durable then. */
    void write(String name, Content content) throws IOException;

    /** The content of a file. */
    InputStream open(String name) throws IOException;

    default void write(String name, byte[] content) throws IOException {
        write(name, new Content() {
            @Override
            public long bytes() {
                return content.length;
            }

            @Override
            public InputStream open() {
                return new ByteArrayInputStream(content);
            }
        });
    }

    /** @throws IOException if no file was ever written to this folder or bucket, or it is away */
    default void requireMark() throws IOException {
        try {
            open(MARK).close();
        } catch (NoSuchFileException missing) {
            throw new IOException(
                    "ligeiro.archive.to: without " + MARK + " (expected: the folder or bucket of the earlier files)");
        }
    }

    /** Calls on a thread that may block. */
    static <T> Mono<T> call(Callable<T> blocking) {
        return Mono.fromCallable(blocking).subscribeOn(Schedulers.boundedElastic());
    }
}
