package dev.ligeiro.dispatcher.http;

import dev.ligeiro.dispatcher.http.PostResult.Answered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.nio.AsyncResponseConsumer;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an answer's status and {@code Retry-After}, and nothing of its body: that is read up to a limit so that the connection can
 * be used again, then cut off.
 */
final class AnswerConsumer implements AsyncResponseConsumer<Answered> {

    private final long bodyMax;
    private long bodyBytes;
    private volatile @Nullable Answered answer;
    private @Nullable FutureCallback<Answered> done;

    AnswerConsumer(long bodyMax) {
        this.bodyMax = bodyMax;
    }

    /** The answer as soon as its head has come; null before. */
    @Nullable
    Answered answer() {
        return answer;
    }

    @Override
    public void consumeResponse(
            HttpResponse response,
            @Nullable EntityDetails entity,
            HttpContext context,
            FutureCallback<Answered> callback) {
        Header retryAfter = response.getFirstHeader(HttpHeaders.RETRY_AFTER);
        Answered head = new Answered(response.getCode(), retryAfter == null ? null : retryAfter.getValue());
        answer = head;
        done = callback;
        if (entity == null) {
            callback.completed(head);
        }
    }

    @Override
    public void informationResponse(HttpResponse response, HttpContext context) {
        // 1xx is no answer yet; how many may come is limited by the total timeout
    }

    @Override
    public void updateCapacity(CapacityChannel channel) throws IOException {
        channel.update(Integer.MAX_VALUE);
    }

    @Override
    public void consume(ByteBuffer body) throws IOException {
        bodyBytes += body.remaining();
        body.position(body.limit());
        if (bodyBytes > bodyMax) {
            throw new IOException("answer longer than " + bodyMax + " bytes");
        }
    }

    @Override
    public void streamEnd(@Nullable List<? extends Header> trailers) {
        if (done != null && answer != null) {
            done.completed(answer);
        }
    }

    @Override
    public void failed(Exception cause) {
        // reported by the callback of the whole exchange
    }

    @Override
    public void releaseResources() {
        // holds none
    }
}
