package dev.ligeiro.processor.rail.bank;

import static dev.ligeiro.processor.ProcessorMemoryBudget.BANK_ANSWER;

import io.netty.buffer.ByteBufAllocator;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads what a bank sends. Each buffer is copied and released at once: a body may come in chunks of one byte, and Spring's codecs keep a
 * buffer of more than 100 bytes for each.
 */
public final class BankBody {

    private static final NettyDataBufferFactory BUFFERS = new NettyDataBufferFactory(ByteBufAllocator.DEFAULT);
    private static final int FIRST = 1024;

    private BankBody() {}

    /** The whole body. Fails with a {@link DataBufferLimitException} if it is above {@code BANK_ANSWER}. */
    public static Mono<byte[]> read(Flux<DataBuffer> body) {
        return Mono.using(
                () -> BUFFERS.allocateBuffer(FIRST),
                all -> body.doOnNext(buffer -> add(all, buffer)).then(Mono.fromSupplier(() -> bytes(all))),
                DataBufferUtils::release);
    }

    private static void add(DataBuffer all, DataBuffer buffer) {
        try {
            if (all.readableByteCount() + buffer.readableByteCount() > BANK_ANSWER) {
                throw new DataBufferLimitException("more than " + BANK_ANSWER + " bytes");
            }
            all.write(buffer);
        } finally {
            DataBufferUtils.release(buffer);
        }
    }

    private static byte[] bytes(DataBuffer all) {
        byte[] bytes = new byte[all.readableByteCount()];
        all.read(bytes);
        return bytes;
    }
}
