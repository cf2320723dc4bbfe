package dev.ligeiro.gateway.page.docs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

/**
 * A file of the documentation, which every response sends from one place outside the heap. Netty would copy an array for each response, so
 * that a hundred clients that do not read a file of 1.5 MB would take all direct memory. The bytes are the JVM's to free, when nobody uses
 * them any more: Netty would report a buffer of its own as a leak then.
 *
 * @param tag changes with the content (RFC 9110 §8.8.3)
 */
record DocsFile(ByteBuf bytes, String tag) {

    private static final int TAG_BYTES = 8;

    /** Reads a file of the jar. */
    static DocsFile read(String resource) {
        return of(bytes(resource));
    }

    static byte[] bytes(String resource) {
        try (InputStream in = DocsFile.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + ": missing from the jar");
            }
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static DocsFile of(byte[] content) {
        ByteBuffer direct =
                ByteBuffer.allocateDirect(content.length).put(content).flip();
        return new DocsFile(
                Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(direct.asReadOnlyBuffer())), tag(content));
    }

    private static String tag(byte[] content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(hash, 0, TAG_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-256", impossible);
        }
    }

    int length() {
        return bytes.readableBytes();
    }

    /** A view of the bytes for one response. */
    DataBuffer view(DataBufferFactory buffers) {
        return buffers instanceof NettyDataBufferFactory netty
                ? netty.wrap(bytes.duplicate())
                : buffers.wrap(bytes.nioBuffer());
    }
}
