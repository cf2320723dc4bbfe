package dev.ligeiro.gateway.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.observe.HttpMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.netty.NettyPipeline;

class ConnectionSetupTest {

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withBean(
                    ConnectionProperties.class,
                    () -> new ConnectionProperties(
                            1,
                            Duration.ofSeconds(75),
                            Duration.ofSeconds(10),
                            Duration.ofSeconds(20),
                            Duration.ofSeconds(30),
                            Duration.ofSeconds(300)))
            .withBean(SimpleMeterRegistry.class)
            .withBean(HttpMetrics.class)
            .withBean(EarlyProblems.class)
            .withBean(ConnectionSetup.class);

    /** The clock's response passes the handler that makes a problem of it. */
    @Test
    void aSlowHeadIsAnsweredWithAProblem() {
        context.run(beans -> {
            EmbeddedChannel channel = connection(beans.getBean(ConnectionSetup.class));
            channel.writeInbound(Unpooled.copiedBuffer("GET /", US_ASCII));
            channel.advanceTimeBy(10, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();

            assertThat(sent(channel))
                    .startsWith("HTTP/1.1 408 Request Timeout\r\n")
                    .contains("Content-Type: application/problem+json\r\n", "\"code\":\"request_timeout\"");
            assertThat(channel.isOpen()).isFalse();
        });
    }

    @Test
    void aConnectionAboveTheMaximumIsClosed() {
        context.run(beans -> {
            ConnectionSetup setup = beans.getBean(ConnectionSetup.class);
            EmbeddedChannel first = connection(setup);
            assertThat(connection(setup).isOpen()).isFalse();

            first.close();

            assertThat(connection(setup).isOpen()).isTrue();
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
        channel.pipeline().addLast(NettyPipeline.HttpCodec, new HttpServerCodec());
        setup.setUp(channel);
        return channel;
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
