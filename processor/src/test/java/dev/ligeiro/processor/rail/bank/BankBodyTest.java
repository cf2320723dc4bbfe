package dev.ligeiro.processor.rail.bank;

import static dev.ligeiro.processor.ProcessorMemoryBudget.BANK_ANSWER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import reactor.core.publisher.Flux;

class BankBodyTest {

    private final NettyDataBufferFactory buffers = new NettyDataBufferFactory(ByteBufAllocator.DEFAULT);
    private final List<ByteBuf> sent = new ArrayList<>();

    private Flux<DataBuffer> chunksOfOneByte(int length) {
        return Flux.range(0, length).map(i -> {
            assertThat(sent).as("no earlier chunk is kept").allMatch(chunk -> chunk.refCnt() == 0);
            sent.clear();
            sent.add(Unpooled.wrappedBuffer(new byte[] {i.byteValue()}));
            return buffers.wrap(sent.get(0));
        });
    }

    /** Regression: 131,000 chunks of one byte were as many objects, 20 MB. */
    @Test
    void chunksAreCopiedAndReleasedAtOnce() {
        byte[] body = BankBody.read(chunksOfOneByte(BANK_ANSWER)).block();

        assertThat(body).hasSize(BANK_ANSWER).startsWith(0, 1, 2).endsWith(254, 255);
        assertThat(BankBody.read(Flux.empty()).block()).isEmpty();
    }

    @Test
    void aBodyAboveTheLimitFails() {
        assertThatThrownBy(() -> BankBody.read(chunksOfOneByte(BANK_ANSWER + 1)).block())
                .satisfies(failure -> assertThat(BankAnswer.isTooLarge(failure)).isTrue());
        assertThat(sent).allMatch(chunk -> chunk.refCnt() == 0);
    }
}
