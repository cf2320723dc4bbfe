package dev.ligeiro.infra.loadtest.abuse;

import dev.ligeiro.infra.loadtest.merchant.Abuser;
import dev.ligeiro.infra.loadtest.merchant.Outcomes;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connections that each send the start of a request, and then a byte of it every five seconds. A connection that the gateway closes is
 * opened again after a second.
 */
final class HalfOpenRequests implements Abuser {

    private static final String START = "POST /api/v1/transaction/pix/cashin HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
    private static final String NEXT = "x";
    private static final int DRIP_SECONDS = 5;
    /** The gateway closes them after ten seconds, so 5,000 are open all the time. */
    private static final int OPENED_PER_SECOND = 500;

    private final Outcomes outcomes = new Outcomes();
    private final OpenConnections connections;
    private final int count;

    HalfOpenRequests(String baseUrl, int count) {
        this.count = count;
        this.connections = new OpenConnections(
                "half-open", baseUrl, count, OPENED_PER_SECOND, outcomes, channel -> channel.pipeline()
                        .addFirst(new Drip()));
    }

    @Override
    public void close() {
        connections.close();
    }

    @Override
    public String toString() {
        return count + " half-open requests: " + outcomes;
    }

    private static final class Drip extends ChannelInboundHandlerAdapter {

        private @Nullable Future<?> drip;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            write(context, START);
            drip = context.executor()
                    .scheduleAtFixedRate(() -> write(context, NEXT), DRIP_SECONDS, DRIP_SECONDS, TimeUnit.SECONDS);
            context.fireChannelActive();
        }

        private static void write(ChannelHandlerContext context, String text) {
            context.writeAndFlush(ByteBufUtil.writeAscii(context.alloc(), text), context.voidPromise());
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (drip != null) {
                drip.cancel(false);
            }
            context.fireChannelInactive();
        }
    }
}
