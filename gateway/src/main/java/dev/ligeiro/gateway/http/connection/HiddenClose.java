package dev.ligeiro.gateway.http.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.server.HttpServerRequest;

/**
 * Hides the {@code Connection: close} of a request from the server's handler: the server would close the connection after whichever response
 * is next when the request arrives, and the client may have sent others before it (RFC 9112 §9.6). {@link DrainConnections} closes after the
 * response to this one.
 */
@ChannelHandler.Sharable
final class HiddenClose extends ChannelInboundHandlerAdapter {

    static final HiddenClose HANDLER = new HiddenClose();

    private static final String MARK = "last";

    private HiddenClose() {}

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request
                && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && !HttpUtil.isKeepAlive(request)) {
            request.headers().set(HttpHeaderNames.CONNECTION, MARK);
        }
        context.fireChannelRead(message);
    }

    /** Whether the response that starts now is to such a request. */
    static boolean isAnswered(Channel channel) {
        return ChannelOperations.get(channel) instanceof HttpServerRequest request
                && MARK.equals(request.requestHeaders().get(HttpHeaderNames.CONNECTION));
    }
}
