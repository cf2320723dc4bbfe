package dev.ligeiro.gateway.http.html;

import java.io.ByteArrayOutputStream;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The response to an {@link InProcessCall}, kept on the heap. Pages ask for one transaction or one page of a list, which are bounded. */
final class BufferedResponse extends AbstractServerHttpResponse {

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    BufferedResponse() {
        super(DefaultDataBufferFactory.sharedInstance);
    }

    ApiAnswer answer() {
        HttpStatusCode status = getStatusCode();
        return ApiAnswer.of(status == null ? 200 : status.value(), getHeaders(), body.toByteArray());
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T getNativeResponse() {
        return (T) this;
    }

    @Override
    protected Mono<Void> writeWithInternal(Publisher<? extends DataBuffer> content) {
        return Flux.from(content).doOnNext(this::add).then();
    }

    @Override
    protected Mono<Void> writeAndFlushWithInternal(Publisher<? extends Publisher<? extends DataBuffer>> content) {
        return Flux.from(content).concatMap(this::writeWithInternal).then();
    }

    private void add(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        body.writeBytes(bytes);
    }

    @Override
    protected void applyStatusCode() {}

    @Override
    protected void applyHeaders() {}

    @Override
    protected void applyCookies() {}
}
