package dev.ligeiro.gateway.page.docs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

/**
 * Bytes that every response sends from one place outside the heap. Netty would copy an array for each response, so that a hundred clients
 * that do not read a file of 1.5 MB would take all direct memory. They are the JVM's to free, when nobody uses them any more: Netty would
 * report a buffer of its own as a leak then.
 */
final class SharedContent {

    private final ByteBuf bytes;

    SharedContent(byte[] content) {
        ByteBuffer direct =
                ByteBuffer.allocateDirect(content.length).put(content).flip();
        this.bytes = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(direct.asReadOnlyBuffer()));
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
