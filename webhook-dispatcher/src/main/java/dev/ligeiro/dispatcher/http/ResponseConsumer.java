package dev.ligeiro.dispatcher.http;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.webhook.AttemptOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
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
 * Keeps the status code and {@code Retry-After} of a response, and of a failure the beginning of its body. The rest of the body, or all of a
 * success, is read and dropped, so that the connection can be used again; a body above the limit closes the connection.
 */
final class ResponseConsumer implements AsyncResponseConsumer<PostResult> {

    private final long bodyMax;
    private long bodyBytes;
    private volatile @Nullable PostResult response;
    /** Null without a body, and for a success. */
    private volatile @Nullable BodyStart start;

    private @Nullable FutureCallback<PostResult> done;

    ResponseConsumer(long bodyMax) {
        this.bodyMax = bodyMax;
    }

    /** The response, from the moment its headers have arrived; null before. */
    @Nullable
    PostResult response() {
        PostResult received = response;
        BodyStart body = start;
        return received == null || body == null ? received : received.with(body.text());
    }

    @Override
    public void consumeResponse(
            HttpResponse httpResponse,
            @Nullable EntityDetails entity,
            HttpContext context,
            FutureCallback<PostResult> callback) {
        Header retryAfter = httpResponse.getFirstHeader(HttpHeaders.RETRY_AFTER);
        PostResult received =
                PostResult.response(httpResponse.getCode(), retryAfter == null ? null : retryAfter.getValue());
        response = received;
        done = callback;
        if (entity == null) {
            callback.completed(received);
        } else if (received.outcome() != AttemptOutcome.DELIVERED) {
            start = new BodyStart();
        }
    }

    @Override
    public void informationResponse(HttpResponse response, HttpContext context) {
        // ResponseHead leaves them out
    }

    @Override
    public void updateCapacity(CapacityChannel channel) throws IOException {
        channel.update(Integer.MAX_VALUE);
    }

    @Override
    public void consume(ByteBuffer body) throws IOException {
        bodyBytes += body.remaining();
        BodyStart kept = start;
        if (kept != null) {
            kept.add(body);
        }
        body.position(body.limit());
        if (bodyBytes > bodyMax) {
            throw new IOException("response body: more than " + bodyMax + " bytes");
        }
    }

    @Override
    public void streamEnd(@Nullable List<? extends Header> trailers) {
        PostResult received = response();
        if (done != null && received != null) {
            done.completed(received);
        }
    }

    @Override
    public void failed(Exception cause) {
        // the callback of the exchange reports it
    }

    @Override
    public void releaseResources() {
        // nothing to release
    }

    /** The first kilobyte of a response's body. The connection's thread adds to it, and a time-out may read it meanwhile. */
    static final class BodyStart {

        private static final int BYTES_MAX = DispatcherMemoryBudget.KEPT_RESPONSE_BYTES_MAX;

        private final ByteBuffer bytes = ByteBuffer.allocate(BYTES_MAX);

        /** Copies what fits; the position of {@code body} stays. */
        synchronized void add(ByteBuffer body) {
            bytes.put(body.slice().limit(Math.min(body.remaining(), bytes.remaining())));
        }

        /**
         * What was added, as UTF-8 with U+FFFD for what is none, without control characters but tab and line feed. It has at most a kilobyte as
         * UTF-8 too; a character that the end has cut is left out. Null if nothing is left.
         */
        synchronized @Nullable String text() {
            StringBuilder text = new StringBuilder();
            int left = BYTES_MAX;
            for (int character : decoded().codePoints().toArray()) {
                if (Character.isISOControl(character) && character != '\t' && character != '\n') {
                    continue;
                }
                left -= Character.toString(character).getBytes(StandardCharsets.UTF_8).length;
                if (left < 0) {
                    break;
                }
                text.appendCodePoint(character);
            }
            return text.isEmpty() ? null : text.toString();
        }

        private String decoded() {
            CharBuffer decoded = CharBuffer.allocate(BYTES_MAX);
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .decode(bytes.duplicate().flip(), decoded, bytes.hasRemaining());
            return decoded.flip().toString();
        }
    }
}
