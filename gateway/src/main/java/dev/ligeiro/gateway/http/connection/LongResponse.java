package dev.ligeiro.gateway.http.connection;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import java.util.function.Consumer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServerResponse;

/** The connection of a response that takes long, whose client may read nothing for minutes ({@link ConnectionLimits}). */
public final class LongResponse {

    /**
     * Linux would let a connection grow to 4 MB of unsent bytes, and says that there is room again only when a third of them are sent. A
     * client that reads 10 kB/s would seem to read nothing for two minutes.
     */
    private static final int SEND_BUFFER_BYTES = 256 * 1024;

    private LongResponse() {}

    /** Call it before the response starts. */
    public static void begin(ServerHttpResponse response) {
        onChannel(response, LongResponse::begin);
    }

    static void begin(Channel channel) {
        ConnectionLimits limits = channel.pipeline().get(ConnectionLimits.class);
        limits.nextResponseIsLong();
        channel.config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_BYTES);
    }

    /**
     * Completes when the connection has taken all that was written before. The server itself does not wait for that: it asks for up to 128
     * buffers ahead of a client that reads nothing. Fails when the connection closes.
     */
    public static Mono<Void> taken(ServerHttpResponse response) {
        return Mono.create(result -> onChannel(response, channel -> channel.eventLoop()
                // a task of its own: the last buffer may be about to be written in the current one
                .execute(() -> channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> {
                    if (written.isSuccess()) {
                        result.success();
                    } else {
                        result.error(AbortedException.beforeSend());
                    }
                }))));
    }

    /**
     * Resets the connection of a response that cannot be completed, so that no client takes what it has got for the whole. What the
     * connection has not sent yet is dropped.
     */
    public static void abort(ServerHttpResponse response) {
        onChannel(response, LongResponse::reset);
    }

    static void reset(Channel channel) {
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        channel.close();
    }

    /** Nothing with the mock of a test, which has no connection. */
    private static void onChannel(ServerHttpResponse response, Consumer<Channel> action) {
        if (ServerHttpResponseDecorator.getNativeResponse(response) instanceof HttpServerResponse server) {
            server.withConnection(connection -> action.accept(connection.channel()));
        }
    }
}
