package dev.ligeiro.gateway.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

class BodyBytesTest {

    private static final int LARGE = 5_000;

    private final NettyDataBufferFactory buffers = new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT);
    private final List<BodyBytes> bodies = new ArrayList<>();

    @AfterEach
    void close() {
        bodies.forEach(BodyBytes::close);
    }

    private BodyBytes body() {
        BodyBytes body = new BodyBytes(new Object(), BodyBytes.BYTES_MAX);
        bodies.add(body);
        return body;
    }

    private DataBuffer buffer(int length) {
        return buffers.wrap(Unpooled.wrappedBuffer(new byte[length]));
    }

    @Test
    void aBodyInChunksOfOneByteIsPutTogether() {
        BodyBytes body = body();
        byte[] expected = new byte[BodyBytes.BYTES_MAX];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = (byte) i;
            body.add(buffers.wrap(Unpooled.wrappedBuffer(new byte[] {(byte) i})));
        }

        assertThat(body.toArray()).isEqualTo(expected);
    }

    @Test
    void aBufferIsReleasedWhenItIsAddedAndWhenItIsTooMuch() {
        ByteBuf added = Unpooled.wrappedBuffer(new byte[10]);
        ByteBuf tooMuch = Unpooled.wrappedBuffer(new byte[BodyBytes.BYTES_MAX]);
        BodyBytes body = body();

        body.add(buffers.wrap(added));
        assertThat(added.refCnt()).isZero();
        assertThatExceptionOfType(Problem.class)
                .isThrownBy(() -> body.add(buffers.wrap(tooMuch)))
                .satisfies(problem -> assertThat(problem.code()).isEqualTo(ProblemCode.BODY_TOO_LARGE));
        assertThat(tooMuch.refCnt()).isZero();
    }

    @Test
    void largeBodiesAreBoundedTogetherAndSmallOnesAreNot() {
        for (int i = 0; i < BodyBytes.LARGE_AT_ONCE_MAX; i++) {
            body().add(buffer(LARGE));
        }

        body().add(buffer(4_096));
        BodyBytes oneMore = body();
        assertThatExceptionOfType(Problem.class)
                .isThrownBy(() -> oneMore.add(buffer(LARGE)))
                .satisfies(problem -> assertThat(problem.code()).isEqualTo(ProblemCode.OVERLOADED));

        bodies.get(0).close();
        body().add(buffer(LARGE));
    }

    @Test
    void aBodyThatIsClosedTwiceGivesItsPlaceBackOnce() {
        BodyBytes body = body();
        body.add(buffer(LARGE));
        body.close();
        body.close();
        bodies.clear();

        largeBodiesAreBoundedTogetherAndSmallOnesAreNot();
    }
}
