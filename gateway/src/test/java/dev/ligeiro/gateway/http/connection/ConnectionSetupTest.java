package dev.ligeiro.gateway.http.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.http.connection.ConnectionSetup.ConnectionProperties;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.netty.NettyPipeline;

class ConnectionSetupTest {

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withBean(
                    ConnectionProperties.class,
                    () -> new ConnectionProperties(
                            1, Duration.ofSeconds(75), Duration.ofSeconds(20), Duration.ZERO, false))
            .withBean(SimpleMeterRegistry.class)
            .withBean(EarlyProblems.class)
            .withBean(DrainConnections.class)
            .withBean(ConnectionSetup.class);

    /** A client must not take 100 for the last response of its connection. */
    @Test
    void afterTheStopHasBegunAResponseIsTheLastOneOfItsConnection() {
        context.run(beans -> {
            EmbeddedChannel channel = connection(beans.getBean(ConnectionSetup.class));
            assertThat(sent(channel, HttpResponseStatus.OK)).doesNotContain("connection: ");

            beans.getBean(DrainConnections.class).stop();

            assertThat(sent(channel, HttpResponseStatus.CONTINUE)).doesNotContain("connection: ");
            assertThat(sent(channel, HttpResponseStatus.OK)).contains("connection: close\r\n");
        });
    }

    /** Its connections would have no limits. */
    @Test
    void http2IsRefusedAtTheStart() {
        context.withPropertyValues("server.http2.enabled=true").run(beans -> assertThat(beans.getStartupFailure())
                .rootCause()
                .hasMessage("server.http2.enabled: true (expected: false; a load balancer in front may speak HTTP/2)"));
    }

    private static EmbeddedChannel connection(ConnectionSetup setup) {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        channel.pipeline()
                .addLast(NettyPipeline.HttpCodec, new HttpServerCodec())
                .addLast(NettyPipeline.HttpTrafficHandler, new ChannelDuplexHandler());
        setup.setUp(channel);
        return channel;
    }

    private static String sent(EmbeddedChannel channel, HttpResponseStatus status) {
        channel.writeInbound(Unpooled.copiedBuffer("GET / HTTP/1.1\r\n\r\n", US_ASCII));
        channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status));
        return sent(channel);
    }

    private static String sent(EmbeddedChannel channel) {
        StringBuilder text = new StringBuilder();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            text.append(next.toString(US_ASCII));
            next.release();
        }
        return text.toString();
    }
}
