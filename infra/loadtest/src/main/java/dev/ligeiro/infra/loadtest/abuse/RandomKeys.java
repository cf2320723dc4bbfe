package dev.ligeiro.infra.loadtest.abuse;

import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.merchant.Abuser;
import dev.ligeiro.infra.loadtest.merchant.Outcomes;
import dev.ligeiro.infra.loadtest.merchant.Requests;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.util.ReferenceCountUtil;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Sends creates with keys that have the right form and do not exist, each another one, at a steady rate over a few connections. */
final class RandomKeys implements Abuser {

    private static final int CONNECTIONS = 16;
    private static final int KEY_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Outcomes outcomes = new Outcomes();
    private final OpenConnections connections;
    private final long intervalMicros;

    /** @param rate requests a second */
    RandomKeys(String baseUrl, double rate) {
        this.intervalMicros = Math.round(TimeUnit.SECONDS.toMicros(CONNECTIONS) / rate);
        this.connections = new OpenConnections(
                "random-keys", baseUrl, CONNECTIONS, CONNECTIONS, outcomes, channel -> channel.pipeline()
                        .addLast(new HttpResponseDecoder(), new Requests()));
    }

    private static String request() {
        byte[] random = new byte[KEY_BYTES];
        RANDOM.nextBytes(random);
        return "POST " + MerchantApi.CASHIN_PATH + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sk_test_"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(random)
                + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    }

    @Override
    public void close() {
        connections.close();
    }

    @Override
    public String toString() {
        return "requests with random keys: " + outcomes;
    }

    private final class Requests extends ChannelInboundHandlerAdapter {

        private @Nullable Future<?> requests;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            requests = context.executor()
                    .scheduleAtFixedRate(
                            () -> context.writeAndFlush(
                                    ByteBufUtil.writeAscii(context.alloc(), request()), context.voidPromise()),
                            0,
                            intervalMicros,
                            TimeUnit.MICROSECONDS);
            context.fireChannelActive();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object part) {
            if (part instanceof HttpResponse response) {
                outcomes.count(Integer.toString(response.status().code()));
            }
            ReferenceCountUtil.release(part);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (requests != null) {
                requests.cancel(false);
            }
            context.fireChannelInactive();
        }
    }
}
