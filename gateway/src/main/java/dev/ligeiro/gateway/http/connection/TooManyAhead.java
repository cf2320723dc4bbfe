package dev.ligeiro.gateway.http.connection;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;

/**
 * Drops the exception of {@link RequestCodec} that a client has sent too many requests ahead. The codec itself ignores these requests and
 * closes the connection at the end of the running response. Without this handler the server would log a warning for each such connection,
 * and a client without a key could fill the log.
 */
@ChannelHandler.Sharable
final class TooManyAhead extends ChannelInboundHandlerAdapter {

    /** The codec throws no other exception: a head or body that it cannot parse becomes a message with a failed result. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        boolean isOfCodec = cause instanceof DecoderException && cause.getCause() instanceof IllegalStateException;
        if (!isOfCodec) {
            context.fireExceptionCaught(cause);
        }
    }
}
