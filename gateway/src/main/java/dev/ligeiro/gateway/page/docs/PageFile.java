package dev.ligeiro.gateway.page.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.util.DigestUtils;

/**
 * A file that pages need. One that is read once every response sends from one place outside the heap. Netty would copy an array for each response, so
 * that a hundred clients that do not read a file of 1.5 MB would take all direct memory.
 *
 * @param tag changes with the content (RFC 9110 §8.8.3)
 */
public record PageFile(ByteBuffer bytes, String tag) {

    /** Reads a file of the jar. */
    public static PageFile read(String resource) {
        return of(bytes(resource));
    }

    public static byte[] bytes(String resource) {
        try {
            return new ClassPathResource(resource).getContentAsByteArray();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    public static PageFile of(byte[] content) {
        ByteBuffer direct =
                ByteBuffer.allocateDirect(content.length).put(content).flip();
        return new PageFile(direct.asReadOnlyBuffer(), DigestUtils.md5DigestAsHex(content));
    }

    /** Content that is made for one response. */
    static PageFile ofOneResponse(byte[] content) {
        return new PageFile(ByteBuffer.wrap(content), DigestUtils.md5DigestAsHex(content));
    }

    public int length() {
        return bytes.remaining();
    }

    /** A view of the bytes for one response. */
    public DataBuffer view(DataBufferFactory buffers) {
        return buffers.wrap(bytes.duplicate());
    }
}
