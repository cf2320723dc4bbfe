package dev.ligeiro.gateway.connection;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;

/**
 * Keeps from the server that a client has sent more requests ahead than {@link RequestCodec} allows. The codec itself drops what comes
 * after them and closes the connection with the end of the running response. The server would only log a warning, one for each
 * connection, so that a client without a key could fill the log.
 */
@ChannelHandler.Sharable
final class TooManyAhead extends ChannelInboundHandlerAdapter {

    /** Of the codec's exceptions only this one comes here: heads and bodies that it cannot parse are messages with a failed result. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        boolean isOfCodec = cause instanceof DecoderException && cause.getCause() instanceof IllegalStateException;
        if (!isOfCodec) {
            context.fireExceptionCaught(cause);
        }
    }
}
